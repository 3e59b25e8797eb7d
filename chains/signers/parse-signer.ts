import bs58 from 'bs58'
import { getAddress, isAddress, type Address } from 'viem'

/** An account whose key is in a Web3Signer. */
export interface Web3SignerLocation {
  kind: 'web3signer'
  url: string
  /** The header of a proxy that asks for user and password. */
  authorization: string | undefined
  address: Address
}

interface KmsKey {
  kind: 'aws-kms'
  region: string
  /** An id, an alias (`alias/…`) or an ARN. */
  keyId: string
}

/** An EVM account whose key is in AWS KMS. */
export interface KmsEvmLocation extends KmsKey {
  address: Address
}

/** A Solana account whose key is in AWS KMS. */
export interface KmsSolanaLocation extends KmsKey {
  /** Base58. */
  address: string
}

/** Where an EVM account's key is. */
export type EvmSignerLocation = Web3SignerLocation | KmsEvmLocation

const EVM_FORM = 'must be web3signer:https://host?address=0x… or aws-kms:region/key-id?address=0x…'
const SOLANA_FORM = 'must be aws-kms:region/key-id?address=…'
const KMS = /^aws-kms:([a-z]{2}(?:-[a-z]+)+-\d{1,2})\/([\w:/-]{1,2048})$/

/**
 * Reads a setting that says where an EVM account's key is: `web3signer:<URL>?address=0x…` or
 * `aws-kms:<region>/<key id>?address=0x…`. The account is a part of it, so that a start needs no signer, and a key that was
 * exchanged there is noticed.
 * @throws Error whose message completes "NAME …" and holds nothing of the text, which may have a password
 */
export function parseEvmSigner(text: string): EvmSignerLocation {
  const { place, account } = split(text, EVM_FORM)
  if (!isAddress(account)) throw new Error('must end in ?address= and an EVM address whose checksum is right')
  const address = getAddress(account)
  if (place.startsWith('web3signer:')) return { ...parseWeb3Signer(place.slice('web3signer:'.length)), address }
  return { ...parseKms(place, EVM_FORM), address }
}

/**
 * Reads a setting that says where a Solana account's key is: `aws-kms:<region>/<key id>?address=…`.
 * @throws Error as `parseEvmSigner`
 */
export function parseSolanaSigner(text: string): KmsSolanaLocation {
  const { place, account } = split(text, SOLANA_FORM)
  const bytes = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(account) ? bs58.decode(account) : []
  if (bytes.length !== 32) throw new Error('must end in ?address= and a Solana address')
  return { ...parseKms(place, SOLANA_FORM), address: account }
}

/** What stands before `?address=`, and the account after it. */
function split(text: string, form: string): { place: string; account: string } {
  const [place = '', account, ...rest] = text.split('?address=')
  if (account === undefined || rest.length > 0) throw new Error(form)
  return { place, account }
}

function parseKms(place: string, form: string): KmsKey {
  const [, region, keyId] = KMS.exec(place) ?? []
  if (region === undefined || keyId === undefined) throw new Error(form)
  return { kind: 'aws-kms', region, keyId }
}

function parseWeb3Signer(place: string): Omit<Web3SignerLocation, 'address'> {
  const url = secureUrl(place)
  const given = `${decode(url.username)}:${decode(url.password)}`
  const authorization = given === ':' ? undefined : `Basic ${Buffer.from(given).toString('base64')}`
  url.username = ''
  url.password = ''
  return { kind: 'web3signer', url: url.href.replace(/\/$/, ''), authorization }
}

/**
 * Reads the address of a signer: https, or http on loopback. Who can read what is sent could ask for signatures too.
 * @throws Error as `parseEvmSigner`
 */
export function parseSignerUrl(text: string): string {
  return secureUrl(text).href.replace(/\/$/, '')
}

function secureUrl(text: string): URL {
  const url = URL.parse(text)
  const isOnLoopback = url !== null && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)
  if (
    !url ||
    url.search !== '' ||
    url.hash !== '' ||
    !(url.protocol === 'https:' || (url.protocol === 'http:' && isOnLoopback))
  ) {
    throw new Error('must have an https URL without a query, or an http URL on loopback')
  }
  return url
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Error('must have a user and a password that are percent-encoded')
  }
}
