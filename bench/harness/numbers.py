"""Numbers as people read them."""


def amount(value, unit=""):
    if value is None:
        return "–"
    if isinstance(value, str):
        return value
    size = abs(value)
    if float(value).is_integer() or size >= 1000:
        text = f"{value:,.0f}"
    else:
        text = f"{value:.1f}" if size >= 100 else f"{value:.2f}" if size >= 1 else f"{value:.3g}"
    return f"{text} {unit}".strip()


def spread(measured):
    """A median and from the least to the most."""
    if not isinstance(measured, dict):
        return amount(measured)
    middle = amount(measured["median"], measured["unit"])
    if measured["rounds"] < 2:
        return middle
    return f"{middle} ({amount(measured['min'])} – {amount(measured['max'])})"


def target_of(row):
    if row["at_least"] is not None:
        return f"≥ {amount(row['at_least'])} {row.get('unit', '')}".strip()
    return f"≤ {amount(row['at_most'])} {row.get('unit', '')}".strip()


def value_of(row):
    return f"{amount(row['value'])} {row['unit']}".strip()
