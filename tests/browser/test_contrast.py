"""Every colour of a kind can be read, in light and dark: WCAG 1.4.3 (4.5:1) and 1.4.11 (3:1)."""

from typing import Any, Final

import pytest

from tests.browser.conftest import Visits

_TEXT: Final = 4.5
_BORDER: Final = 3.0
# Red, green and blue of each colour as the browser paints it.
_PROBE: Final = """(hues) => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const painted = (colour) => {
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const main = document.querySelector("main");
  const found = {};
  for (let hue = 0; hue < hues; hue += 1) {
    const one = document.createElement("span");
    one.className = `m same h${hue} u${hue % 5}`;
    one.dataset.tag = "P1";
    one.textContent = "Jan";
    main.append(one);
    const [own, tag] = [getComputedStyle(one), getComputedStyle(one, "::after")];
    found[hue] = {
      text: [painted(own.color), painted(own.backgroundColor)],
      tag: [painted(tag.color), painted(tag.backgroundColor)],
      line: [painted(own.textDecorationColor), painted(own.backgroundColor)],
      outline: [painted(own.outlineColor), painted(getComputedStyle(document.body).backgroundColor)],
    };
  }
  return found;
}"""


def luminance(colour: list[int]) -> float:
    """Relative luminance as WCAG 2.2 defines it."""
    parts = [one / 255 for one in colour]
    red, green, blue = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: list[int], other: list[int]) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_contrast_is_that_of_wcag() -> None:
    assert round(contrast([0, 0, 0], [255, 255, 255]), 1) == 21.0
    assert round(contrast([118, 118, 118], [255, 255, 255]), 2) == 4.54


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_colour_of_a_kind_can_be_read(visits: Visits, scheme: Any) -> None:
    with visits.visitor(color_scheme=scheme) as one:
        found = one.open("/").evaluate(_PROBE, 12)
    assert len(found) == 12
    for hue, pairs in found.items():
        for name, (front, back) in pairs.items():
            least = _TEXT if name in ("text", "tag") else _BORDER
            assert contrast(front, back) >= least, (hue, name, front, back)
