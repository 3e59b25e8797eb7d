import { pictureType } from '../../../kernel/picture-kind.js'
import type { Logo } from './store/branding.js'

/** Enough for 512 by 512 pixels; the page is loaded on telephones. */
export const LOGO_MAX_BYTES = 65_536

/**
 * A picture from base64. Its kind is what its bytes say, whatever its sender says.
 * @returns undefined where it is none of the kinds, or larger than `LOGO_MAX_BYTES`
 */
export function readLogo(base64: string): Logo | undefined {
  if (base64.length > Math.ceil(LOGO_MAX_BYTES / 3) * 4) return undefined
  const bytes = Buffer.from(base64, 'base64')
  // Node skips what is not base64.
  if (bytes.length > LOGO_MAX_BYTES || bytes.toString('base64') !== base64) return undefined
  const type = pictureType(bytes)
  return type === undefined ? undefined : { bytes, type }
}
