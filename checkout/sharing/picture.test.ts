import { inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { glyphOf } from './glyphs.js'
import { PICTURE, sharePicture } from './picture.js'

/** Reads the parts of a PNG. */
function partsOf(png: Buffer): Map<string, Buffer> {
  const parts = new Map<string, Buffer>()
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at)
    parts.set(png.toString('latin1', at + 4, at + 8), png.subarray(at + 8, at + 8 + length))
    at += length + 12
  }
  return parts
}

/** How many pixels are drawn, and whether one is at the rim of the picture. */
function inkOf(text: string): { drawn: number; isCut: boolean } {
  const rows = inflateSync(partsOf(sharePicture(text, '#1f4fd8')).get('IDAT') ?? Buffer.alloc(0))
  const { width, height } = PICTURE
  let [drawn, isCut] = [0, false]
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      if (rows[y * (width + 1) + 1 + x] === 0) continue
      drawn += 1
      isCut ||= x === 0 || x === width - 1 || y === 0 || y === height - 1
    }
  return { drawn, isCut }
}

describe('the picture of a link', () => {
  it('is a PNG of the size that messengers show large', () => {
    const png = sharePicture('R$ 149,90', '#1f4fd8')
    expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
    const head = partsOf(png).get('IHDR')
    expect([head?.readUInt32BE(0), head?.readUInt32BE(4)]).toEqual([PICTURE.width, PICTURE.height])
    expect(png.length).toBeLessThan(20_000)
  })

  it('shows the amount, whatever its length, inside of its rim', () => {
    expect(inkOf('R$ 149,90').drawn).toBeGreaterThan(inkOf('R$ 1').drawn / 2)
    for (const text of ['1', 'R$ 149,90', 'US$ 1.234.567.890,12', 'CLP 99.999.999.999.999.999'])
      expect(inkOf(text)).toMatchObject({ isCut: false })
    expect(inkOf('').drawn).toBe(0)
  })

  it('stands on the shop’s colour, light text on dark and dark on light', () => {
    const palette = (colour: string): number[] => [...(partsOf(sharePicture('1', colour)).get('PLTE') ?? [])]
    expect(palette('#102030').slice(0, 3)).toEqual([16, 32, 48])
    expect(palette('#102030').slice(-3)).toEqual([255, 255, 255])
    expect(palette('#ffe600').slice(-3)).toEqual([11, 18, 32])
  })

  it('has every character that amounts are written with', () => {
    for (const character of '0123456789,.-$€£¥ABCDEFGHIJKLMNOPQRSTUVWXYZ')
      expect([character, glyphOf(character)?.strokes.length]).not.toEqual([character, undefined])
  })
})
