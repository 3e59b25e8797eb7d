import type { Logo } from './store/branding.js'

/** Enough for 512 by 512 pixels; the page is loaded on telephones. */
export const LOGO_MAX_BYTES = 65_536

/** What files of each kind begin with. SVG is none of them: it can run scripts. */
const KINDS: readonly { type: string; isIt: (bytes: Buffer) => boolean }[] = [
  { type: 'image/png', isIt: (bytes) => bytes.subarray(0, 8).toString('hex') === '89504e470d0a1a0a' },
  { type: 'image/jpeg', isIt: (bytes) => bytes.subarray(0, 3).toString('hex') === 'ffd8ff' },
  {
    type: 'image/webp',
    isIt: (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
  },
]

/**
 * A picture from base64. Its kind is what its bytes say, whatever its sender says.
 * @returns undefined where it is none of the kinds, or larger than `LOGO_MAX_BYTES`
 */
export function readLogo(base64: string): Logo | undefined {
  if (base64.length > Math.ceil(LOGO_MAX_BYTES / 3) * 4) return undefined
  const bytes = Buffer.from(base64, 'base64')
  // Node skips what is not base64.
  if (bytes.length > LOGO_MAX_BYTES || bytes.toString('base64') !== base64) return undefined
  const kind = KINDS.find(({ isIt }) => isIt(bytes))
  return kind && { bytes, type: kind.type }
}
