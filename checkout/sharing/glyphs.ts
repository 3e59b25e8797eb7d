/**
 * The characters of an amount as strokes on a grid of 5 by 8 points: two digits are a point (x, y), y downwards from the
 * top of a capital at 0 to its foot at 6; a space lifts the pen.
 */
const GLYPHS: Readonly<Record<string, string>> = {
  '0': '103041453616050110',
  '1': '112026',
  '2': '01103041420646',
  '3': '004022324345361605',
  '4': '36300444',
  '5': '400002324345361605',
  '6': '30100105163645433202',
  '7': '004016',
  '8': '103041423313020110 133344453616050413',
  '9': '16364541301001031444',
  ',': '1607',
  '.': '0606',
  '-': '0333',
  $: '413010010213334445361605 2026',
  '€': '4130201115263645 0232 0434',
  '£': '41302011150646 0333',
  '¥': '002340 2326 1333',
  A: '0602204246 0444',
  B: '030030414233 0333444536060003',
  C: '4130100105163645',
  D: '00204145260600',
  E: '40000646 0333',
  F: '400006 0333',
  G: '413010010516364543 4323',
  H: '0006 4046 0343',
  I: '0006',
  J: '4045361605',
  K: '0006 400346',
  L: '000646',
  M: '0600234046',
  N: '06004640',
  O: '103041453616050110',
  P: '060030414233 3303',
  Q: '103041453616050110 3446',
  R: '060030414233 3303 2346',
  S: '413010010213334445361605',
  T: '0040 2026',
  U: '000516364540',
  V: '002640',
  W: '0016233640',
  X: '0046 4006',
  Y: '002340 2326',
  Z: '00400646',
}

export type Point = readonly [x: number, y: number]

/** A character's strokes, and how wide it is; undefined where it has none. */
export function glyphOf(character: string): { strokes: readonly (readonly Point[])[]; width: number } | undefined {
  const drawn = GLYPHS[character.toUpperCase()]
  if (drawn === undefined) return undefined
  const strokes = drawn
    .split(' ')
    .map((stroke) => (stroke.match(/\d\d/g) ?? []).map((point): Point => [Number(point[0]), Number(point[1])]))
  return { strokes, width: Math.max(...strokes.flat().map(([x]) => x)) }
}
