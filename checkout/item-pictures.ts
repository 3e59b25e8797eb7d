import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { AddressGuard } from '../kernel/address-guard.js'
import { pictureType, type Picture } from '../kernel/picture-kind.js'

const PICTURE_MAX_BYTES = 1_048_576
const TIMEOUT_MS = 5_000
/** A shop's picture may have moved, once to its content delivery network and once more within that. */
const REDIRECTS_MAX = 3
const KEPT_BYTES = 32 * 1_048_576
const KEPT_MAX = 2_000
const KEPT_MS = 3_600_000
/** RFC 9110, 15.4: those after which the same is asked of another address. */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
/** A shop may mend its picture, or its server. */
const MISSING_KEPT_MS = 60_000

/**
 * Fetches pictures of items from where their shops keep them, so that no payer's browser asks a foreign host: it would learn
 * who pays what. They are kept for an hour.
 * @returns a function that gives the picture at an address; undefined where there is none, or none that is shown
 */
export function itemPictures(guard: AddressGuard): (url: string, tenantId: string) => Promise<Picture | undefined> {
  const kept = new LRUCache<string, { picture: Promise<Picture | undefined> }>({
    max: KEPT_MAX,
    maxSize: KEPT_BYTES,
    ttl: KEPT_MS,
  })
  return (url, tenantId) => {
    // What a picture is says its address alone; that there is none may be its tenant's own failure, as where too much waits of it.
    const ofTenant = `${tenantId} ${url}`
    const known = kept.get(url) ?? kept.get(ofTenant)
    if (known) return known.picture
    const picture = fetchPicture(guard, { url, tenantId })
    kept.set(ofTenant, { picture }, { size: 1 })
    void picture.then((found) => {
      if (!found) return kept.set(ofTenant, { picture }, { size: 1, ttl: MISSING_KEPT_MS })
      kept.delete(ofTenant)
      return kept.set(url, { picture }, { size: found.bytes.length })
    })
    return picture
  }
}

/** Never rejects. Each address that it is sent on to has to be one that the guard lets through, as the first. */
async function fetchPicture(
  guard: AddressGuard,
  { url, tenantId }: { url: string; tenantId: string },
  left = REDIRECTS_MAX,
): Promise<Picture | undefined> {
  const answer = await guard.request(url, {
    tenantId,
    method: 'GET',
    headers: { accept: 'image/webp,image/png,image/jpeg', 'user-agent': 'payments-api-pictures' },
    body: '',
    timeoutMs: TIMEOUT_MS,
    maxResponseBytes: PICTURE_MAX_BYTES,
    readsBody: 'whole',
  })
  if ('failure' in answer) return undefined
  const { location } = answer.headers
  if (REDIRECTS.has(answer.status) && location !== undefined && left > 0) {
    const next = URL.parse(location, url)
    return next === null ? undefined : fetchPicture(guard, { url: next.href, tenantId }, left - 1)
  }
  if (answer.status !== 200 || !answer.body) return undefined
  const type = pictureType(answer.body)
  return type === undefined ? undefined : { bytes: answer.body, type }
}

/** Where the page has the picture of its item, below its own address: another address has another name. */
export function picturePath(index: number, url: string): string {
  return `item/${index}?of=${createHash('sha256').update(url).digest('base64url').slice(0, 8)}`
}
