import { createHash } from 'node:crypto'
import { validationError, type FieldFailure } from '../../../kernel/errors.js'
import type { AccountsDeps } from '../deps.js'
import type { ActingTenant } from '../domain/acting-tenant.js'
import { LOGO_MAX_BYTES, readLogo } from './read-logo.js'
import type { Branding, BrandingChange } from './store/branding.js'

/** What is to change: what is left out stays, null takes it away. */
export interface BrandingInput {
  displayName?: string | null
  accentColor?: string | null
  /** Base64. */
  logo?: string | null
  embedOrigins?: readonly string[] | null
}

const NAME_MAX_LENGTH = 60
const ORIGINS_MAX = 20

/**
 * Changes how a tenant's payment pages look, and which sites may show them in a frame.
 * @param deps.allowsLoopback whether a site on this machine may do without https, as in the sandbox
 * @throws validation_error
 */
export async function updateBranding(
  deps: Pick<AccountsDeps, 'branding' | 'allowsLoopback' | 'transaction'>,
  { id, reauthorize }: ActingTenant,
  input: BrandingInput,
): Promise<Branding> {
  const displayName = input.displayName?.trim() ?? input.displayName
  const { accentColor } = input
  const logo = input.logo == null ? input.logo : readLogo(input.logo)
  const origins = input.embedOrigins ?? (input.embedOrigins === null ? [] : undefined)
  const failures: FieldFailure[] = []
  const refuse = (field: string, message: string): void => void failures.push({ field, message })
  if (displayName === '' || (displayName ?? '').length > NAME_MAX_LENGTH) {
    refuse('displayName', `must have 1 to ${NAME_MAX_LENGTH} characters`)
  }
  if (accentColor != null && !/^#[\da-f]{6}$/i.test(accentColor)) refuse('accentColor', 'must be such as #1f4fd8')
  if (input.logo != null && !logo) {
    refuse('logo', `must be a PNG, JPEG or WebP picture in base64, of at most ${LOGO_MAX_BYTES} bytes`)
  }
  if ((origins?.length ?? 0) > ORIGINS_MAX) refuse('embedOrigins', `must not be more than ${ORIGINS_MAX}`)
  for (const [index, origin] of (origins ?? []).entries()) {
    if (!isOrigin(origin, deps.allowsLoopback === true))
      refuse(`embedOrigins.${index}`, 'must be an origin such as https://shop.example')
  }
  if (failures.length > 0) throw validationError(failures)
  const change: BrandingChange = {
    ...(displayName !== undefined && { displayName }),
    ...(accentColor !== undefined && { accentColor: accentColor?.toLowerCase() ?? null }),
    ...(logo !== undefined && { logo: logo && { ...logo, version: versionOf(logo.bytes) } }),
    ...(origins !== undefined && { embedOrigins: [...new Set(origins)] }),
  }
  await deps.transaction(async (em) => {
    await reauthorize?.(em)
    await deps.branding.change(em, id, change)
  })
  return deps.branding.find(id)
}

/** A name in ASCII, an IPv4 address, or an IPv6 one in brackets: a URL takes `*` and `;` too, which mean more in a header. */
const HOSTNAME = /^([a-z\d.-]+|\[[\da-f:]+\])$/

/** An origin as browsers write it: what else would be in a header could name more than was meant. */
function isOrigin(text: string, allowsLoopback: boolean): boolean {
  const url = URL.parse(text)
  if (url?.origin !== text || !HOSTNAME.test(url.hostname)) return false
  if (url.protocol === 'https:') return true
  return allowsLoopback && url.protocol === 'http:' && (url.hostname === 'localhost' || /^127\./.test(url.hostname))
}

function versionOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 12)
}
