import type { BrandingResult, UpdateBrandingVariables } from '../generated/operations.js'

export type ShownBranding = NonNullable<BrandingResult['branding']>

/** What is in the form. */
export interface BrandingDraft {
  name: string
  color: string
  /** A `data:` URL; null for none. */
  logo: string | null
  /** One origin a line. */
  origins: string
}

export function draftOf({ displayName, accentColor, logo, embedOrigins }: ShownBranding): BrandingDraft {
  return { name: displayName ?? '', color: accentColor ?? '', logo, origins: embedOrigins.join('\n') }
}

/** What is sent. The logo goes along only where it is another one. @param saved as it is now */
export function changeOf(
  { name, color, logo, origins }: BrandingDraft,
  saved: ShownBranding,
): UpdateBrandingVariables['input'] {
  const lines = origins.split(/\s+/).filter((line) => line !== '')
  return {
    displayName: name.trim() === '' ? null : name.trim(),
    accentColor: color === '' ? null : color,
    embedOrigins: lines,
    ...(logo !== saved.logo && { logo: logo === null ? null : logo.slice(logo.indexOf(',') + 1) }),
  }
}

export function isColor(text: string): boolean {
  return /^#[\da-f]{6}$/i.test(text)
}
