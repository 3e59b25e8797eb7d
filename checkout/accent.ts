/** The grounds on which links and buttons stand, the harder one of each theme; see `page/style.css`. */
const LIGHT_GROUND = '#f5f6f8'
const DARK_GROUND = '#1a1f27'
/** What text needs (WCAG 2.2, 1.4.3). */
const CONTRAST_MIN = 4.5

/**
 * A tenant's colour in each theme: darker in the light one and lighter in the dark one, as far as it has to be so that it can
 * be read, and so that what stands on it can. The console's preview shows the same; it is all that the console takes of pages.
 * @param color `#rrggbb`
 */
export function accentColors(color: string): { light: string; dark: string } {
  return { light: readable(color, LIGHT_GROUND, 0), dark: readable(color, DARK_GROUND, 255) }
}

/**
 * The style sheet of a tenant's colour. Not by `light-dark()`: browsers from before 2024 do not know it, and what is built for them
 * of the page's own style does without.
 * @param color `#rrggbb`
 */
export function accentStyle(color: string): string {
  const { light, dark } = accentColors(color)
  return `:root{--accent:${light}}@media (prefers-color-scheme:dark){:root{--accent:${dark}}}`
}

/** The colour, mixed with black (0) or white (255) as little as it takes. */
function readable(color: string, ground: string, towards: 0 | 255): string {
  for (let percent = 0; percent < 100; percent += 2) {
    const mixed = channels(color).map((value) => Math.round(value + ((towards - value) * percent) / 100))
    if (contrast(mixed, channels(ground)) >= CONTRAST_MIN) return hex(mixed)
  }
  return hex([towards, towards, towards])
}

/** How well one colour can be read on another, 1 to 21 (WCAG 2.2, "contrast ratio"). */
function contrast(one: readonly number[], other: readonly number[]): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].toSorted((first, second) => second - first)
  return (high + 0.05) / (low + 0.05)
}

/** WCAG 2.2, "relative luminance". */
function luminance(rgb: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Red, green and blue of a colour. @param color `#rrggbb` */
export function channels(color: string): number[] {
  return [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16))
}

function hex(rgb: readonly number[]): string {
  return `#${rgb.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}
