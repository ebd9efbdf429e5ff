"""Colours as eyes see them.

Contrast is that of WCAG 2.2 (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio). How a colour looks
without one kind of cones is simulated by the matrices of G. Machado, M. Oliveira and L. Fernandes
(IEEE Transactions on Visualization and Computer Graphics 15, 2009, pp. 1291-1298), severity 1, on
linear light. Distances are Euclidean in Oklab (https://bottosson.github.io/posts/oklab/)."""

import itertools
import math
import re

SIGHTS = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216),
                   (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413),
                     (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602),
                   (0.004733, 0.691367, 0.303900)),
}


def channels(css):
    """The channels, 0 to 255, of "rgb(1, 2, 3)"; a colour that was computed here stays."""
    return css if isinstance(css, tuple) else tuple(float(n) for n in re.findall(r"[\d.]+", css)[:3])


def over(css, opacity, ground):
    return tuple(opacity * a + (1 - opacity) * b for a, b in zip(channels(css), channels(ground)))


def linear(css):
    return [c / 255 / 12.92 if c <= 10.31475 else ((c / 255 + 0.055) / 1.055) ** 2.4
            for c in channels(css)]


def luminance(css):
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear(css)))


def contrast(a, b):
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


def seen(css, sight):
    light = linear(css)
    return [min(1, max(0, sum(m * c for m, c in zip(row, light)))) for row in SIGHTS[sight]]


def oklab(light):
    r, g, b = light
    cones = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b,
             0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b,
             0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
    l, m, s = (math.copysign(abs(c) ** (1 / 3), c) for c in cones)
    return (0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
            1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
            0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s)


def least_distance(palette, sight):
    """The two colours that are hardest to tell apart, and how far apart they are."""
    return min((math.dist(oklab(seen(a, sight)), oklab(seen(b, sight))), a, b)
               for a, b in itertools.combinations(palette, 2))
