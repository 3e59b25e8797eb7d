import { createHmac } from 'node:crypto'
import { decrypt, encrypt, isSealedWithCurrent, keyRing } from '../../kernel/encryption.js'

/** What a person can be known by. */
export type IdentityKind = 'email' | 'wallet'

/** How a document stands to a stored one, which may be unknown. */
export type DocumentComparison = 'equal' | 'different' | 'unknown'

/** Seals personal data, and makes the keyed hashes by which it is found again without being opened. */
export interface Vault {
  seal(text: string, context: string): string
  /** Throws where the text was sealed for another context, or by a key that is gone. */
  open(sealed: string, context: string): string
  /** The hash that new rows get: of one tenant only, so that nobody can tell whether two tenants know the same person. */
  identityHash(kind: IdentityKind, tenantId: string, value: string): string
  /** The hashes that rows of this identity may have while a key is rotated, the current one first. */
  identityHashes(kind: IdentityKind, tenantId: string, value: string): readonly string[]
  /** Hash of a one-time code, which without the key could be found by trying all million codes. */
  codeHash(tenantId: string, personId: string, code: string): string
  /** Hash of a whole challenge message, for comparing what came back with what was given out. */
  messageHash(tenantId: string, message: string): string
  /** Keyed hash of a verified person's document, with the id of its key: nobody can open it, nor make it anew for another key. */
  documentHash(tenantId: string, document: string): string
  /** Compares a document with a hash of one; `unknown` where there is no hash, or its key is gone. */
  compareDocument(tenantId: string, document: string, hash: string | null): DocumentComparison
  /** Whether a sealed text was made with the current key. */
  isCurrent(sealed: string): boolean
}

/**
 * The vault of the deployment's master keys.
 * @param masterKeys 32 bytes each, the current one first; earlier ones until `npm run kyc -- rotate` has run
 */
export function createVault(masterKeys: readonly Buffer[]): Vault {
  const sealing = keyRing(masterKeys, 'kyc-personal-data')
  const lookup = [...keyRing(masterKeys, 'kyc-lookup').keys.values()]
  const documents = keyRing(masterKeys, 'kyc-documents')
  const [current] = lookup
  if (!current) throw new Error('there is no master key')
  const mac = (key: Buffer, ...parts: string[]): string =>
    createHmac('sha256', key).update(JSON.stringify(parts)).digest('hex')
  const documentMac = (keyId: string, ...parts: string[]): string | undefined => {
    const key = documents.keys.get(keyId)
    return key && `${keyId}.${mac(key, ...parts)}`
  }
  return {
    seal: (text, context) => encrypt(sealing, text, context),
    open: (sealed, context) => decrypt(sealing, sealed, context),
    identityHash: (kind, tenantId, value) => mac(current, kind, tenantId, value),
    identityHashes: (kind, tenantId, value) => lookup.map((key) => mac(key, kind, tenantId, value)),
    codeHash: (tenantId, personId, code) => mac(current, 'email-otp', tenantId, personId, code),
    messageHash: (tenantId, message) => mac(current, 'wallet-challenge', tenantId, message),
    documentHash: (tenantId, document) => {
      const hash = documentMac(documents.currentId, tenantId, document)
      if (hash === undefined) throw new Error('there is no master key')
      return hash
    },
    compareDocument: (tenantId, document, hash) => {
      const expected = hash === null ? undefined : documentMac(hash.split('.')[0] ?? '', tenantId, document)
      if (expected === undefined) return 'unknown'
      return expected === hash ? 'equal' : 'different'
    },
    isCurrent: (sealed) => isSealedWithCurrent(sealing, sealed),
  }
}
