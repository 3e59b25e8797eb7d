import { channels } from '../accent.js'
import { glyphOf, type Point } from './glyphs.js'
import { pngOf } from './png.js'

/** The smallest size that messengers show large (1.91 to 1). */
export const PICTURE = { width: 600, height: 315 } as const

/** In units of the grid: half a stroke, between characters, a space. */
const RADIUS = 0.45
const GAP = 1.7
const SPACE = 1.6
/** Of a unit, at most; and how much of the width the text may take. */
const SCALE_MAX = 19
const TEXT_MAX = 500
/** A capital's height. */
const HEIGHT = 6

interface Segment {
  from: Point
  to: Point
}

/**
 * A picture of an amount, for messengers that show a link: the amount on the shop's colour.
 * @param text as the page writes it; characters that cannot be drawn are left out
 * @param colour `#rrggbb`
 */
export function sharePicture(text: string, colour: string): Buffer {
  const { segments, width: units } = layOut(text)
  const scale = Math.min(SCALE_MAX, TEXT_MAX / Math.max(units, 1))
  const left = (PICTURE.width - units * scale) / 2
  const top = (PICTURE.height - HEIGHT * scale) / 2
  const pixels = new Uint8Array(PICTURE.width * PICTURE.height)
  for (const segment of segments) {
    const at = ([x, y]: Point): Point => [left + x * scale, top + y * scale]
    stroke(pixels, { from: at(segment.from), to: at(segment.to) }, RADIUS * scale)
  }
  const ground = channels(colour)
  const ink = isLight(ground) ? [11, 18, 32] : [255, 255, 255]
  const palette = Array.from({ length: 256 }, (_, share) =>
    ground.map((value, channel) => Math.round(value + (((ink[channel] ?? 0) - value) * share) / 255)),
  )
  return pngOf(PICTURE, pixels, palette)
}

/** Where the strokes of a text are, in units, and how wide it is. */
function layOut(text: string): { segments: readonly Segment[]; width: number } {
  const segments: Segment[] = []
  let x = 0
  for (const character of text) {
    const glyph = glyphOf(character)
    if (!glyph) {
      if (/\s/.test(character)) x += SPACE
      continue
    }
    for (const points of glyph.strokes)
      for (const [index, from] of points.entries()) {
        const to = points[index + 1] ?? (points.length === 1 ? from : undefined)
        if (to) segments.push({ from: [from[0] + x, from[1]], to: [to[0] + x, to[1]] })
      }
    x += glyph.width + GAP
  }
  return { segments, width: Math.max(0, x - GAP) }
}

/** Draws a stroke with round ends; at its rim a pixel is covered in part. */
function stroke(pixels: Uint8Array, { from, to }: Segment, radius: number): void {
  const { width, height } = PICTURE
  const bounds = (axis: 0 | 1, size: number): [number, number] => [
    Math.max(0, Math.floor(Math.min(from[axis], to[axis]) - radius - 1)),
    Math.min(size - 1, Math.ceil(Math.max(from[axis], to[axis]) + radius + 1)),
  ]
  const [[x0, x1], [y0, y1]] = [bounds(0, width), bounds(1, height)]
  for (let y = y0; y <= y1; y += 1)
    for (let x = x0; x <= x1; x += 1) {
      const covered = Math.min(1, Math.max(0, radius + 0.5 - distance([x + 0.5, y + 0.5], from, to)))
      const index = y * width + x
      pixels[index] = Math.max(pixels[index] ?? 0, Math.round(covered * 255))
    }
}

/** How far a point is from a stroke. */
function distance([px, py]: Point, [ax, ay]: Point, [bx, by]: Point): number {
  const [dx, dy] = [bx - ax, by - ay]
  const length = dx * dx + dy * dy
  const along = length === 0 ? 0 : Math.min(1, Math.max(0, ((px - ax) * dx + (py - ay) * dy) / length))
  return Math.hypot(px - ax - along * dx, py - ay - along * dy)
}

/** Whether dark text is read better on a colour (WCAG's relative luminance). */
function isLight(rgb: readonly number[]): boolean {
  const [red = 0, green = 0, blue = 0] = rgb.map((value) => (value / 255) ** 2.2)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.36
}
