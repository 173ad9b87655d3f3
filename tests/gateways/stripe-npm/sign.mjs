// Writes lines for check_stripe_webhook: payloads that Stripe's own library signed, as they are and
// altered, each with what is to be said of it.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(process.argv[2] + '/');
const { Stripe } = require('stripe');
const pinned = JSON.parse(readFileSync(new URL('package.json', import.meta.url))).dependencies.stripe;
if (Stripe.PACKAGE_VERSION !== pinned)
  throw new Error(`stripe ${Stripe.PACKAGE_VERSION} is installed, ${pinned} is pinned`);

const secret = 'whsec_of_the_npm_test';
const now = 1764525600;
const webhooks = new Stripe('sk_test_unused').webhooks;
const sign = (payload, options = {}) =>
  webhooks.generateTestHeaderString({ payload, secret, timestamp: now, ...options });

const line = (verdict, header, payload) =>
  console.log([verdict, secret, now, header, Buffer.from(payload).toString('hex')].join('\t'));

const payloads = [
  JSON.stringify({ id: 'evt_1', object: 'event', type: 'payment_intent.succeeded',
                   data: { object: { id: 'pi_1', amount: 2550, currency: 'brl' } } }, null, 2),
  JSON.stringify({ name: 'Zoë, 東京 🎟️', text: 'line\nbreak\t"quoted"' }),
  '{}',
  'x'.repeat(60000),
];
for (const payload of payloads) {
  line('good', sign(payload), payload);
  line('good', sign(payload, { timestamp: now - 300 }), payload);
  line('signature too old', sign(payload, { timestamp: now - 301 }), payload);
  line('signature too new', sign(payload, { timestamp: now + 301 }), payload);
  line('signature wrong', sign(payload), payload + ' ');
  line('signature wrong', sign(payload), payload.replace(/.$/, '!'));
  line('signature wrong', sign(payload, { secret: 'whsec_of_another' }), payload);
  line('signature wrong', sign(payload).replace(`t=${now}`, `t=${now + 1}`), payload);
  line('signature malformed', sign(payload, { scheme: 'v0' }), payload);
}
