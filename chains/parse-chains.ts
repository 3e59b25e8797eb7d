import type { Address } from 'viem'
import {
  isEvmAddress,
  isValidAddress,
  type Chain,
  type EvmChain,
  type NativeCoin,
  type PayoutLimits,
  type SolanaChain,
} from './chain.js'

type Json = Readonly<Record<string, unknown>>

/** Collects what is wrong; a value is never part of a problem, because a URL may hold an API key. */
interface Reader {
  problems: string[]
}

const EVM_FIELDS = [
  'family', 'name', 'chainId', 'rpcUrl', 'confirmations', 'finalityBlocks', 'nativeCoin', 'tokens', 'split', 'routers',
] // prettier-ignore
const SOLANA_FIELDS = ['family', 'name', 'rpcUrl', 'commitment', 'nativeCoin', 'tokens']

/**
 * Reads the deployment's list of chains, as `CHAINS_FILE` holds it: an array of objects with the fields of `Chain`.
 * `split` and `routers` may be left out (no split, no router).
 * @throws Error that lists every problem with its path, e.g. `chains.0.tokens.USDT.address`
 */
export function parseChains(json: unknown): Chain[] {
  const reader: Reader = { problems: [] }
  const chains: Chain[] = []
  if (!Array.isArray(json)) reader.problems.push('chains: must be an array')
  for (const [index, item] of (Array.isArray(json) ? json : []).entries()) {
    const chain = readChain(reader, item, `chains.${index}`)
    if (!chain) continue
    if (chain.name !== '' && chains.some((other) => other.name === chain.name)) {
      reader.problems.push(`chains.${index}.name: is used twice`)
    }
    chains.push(chain)
  }
  if (reader.problems.length) throw new Error(reader.problems.join('\n'))
  return chains
}

function readChain(reader: Reader, item: unknown, path: string): Chain | undefined {
  const json = readObject(reader, item, path)
  if (json['family'] === 'evm') return readEvmChain(reader, json, path)
  if (json['family'] === 'solana') return readSolanaChain(reader, json, path)
  reader.problems.push(`${path}.family: must be evm or solana`)
  return undefined
}

function readEvmChain(reader: Reader, json: Json, path: string): EvmChain {
  refuseUnknown(reader, json, EVM_FIELDS, path)
  const nativeCoin = readNativeCoin(reader, json['nativeCoin'], `${path}.nativeCoin`)
  return {
    family: 'evm',
    name: readText(reader, json['name'], /^[a-z0-9][a-z0-9_-]{0,39}$/, `${path}.name`),
    chainId: readInteger(reader, json['chainId'], 1, Number.MAX_SAFE_INTEGER, `${path}.chainId`),
    rpcUrl: readUrl(reader, json['rpcUrl'], `${path}.rpcUrl`),
    confirmations: readInteger(reader, json['confirmations'], 1, 10_000, `${path}.confirmations`),
    ...(json['finalityBlocks'] !== undefined && {
      finalityBlocks: readInteger(reader, json['finalityBlocks'], 1, 100_000, `${path}.finalityBlocks`),
    }),
    nativeCoin,
    tokens: readTokens(reader, json['tokens'], nativeCoin, `${path}.tokens`, (token, at) => ({
      address: readEvmAddress(reader, token['address'], `${at}.address`),
    })),
    split: readSplit(reader, json['split'], `${path}.split`),
    routers: readRouters(reader, json['routers'], `${path}.routers`),
  }
}

function readSolanaChain(reader: Reader, json: Json, path: string): SolanaChain {
  refuseUnknown(reader, json, SOLANA_FIELDS, path)
  const nativeCoin = readNativeCoin(reader, json['nativeCoin'], `${path}.nativeCoin`)
  const commitment = readText(reader, json['commitment'], /^(confirmed|finalized)$/, `${path}.commitment`)
  return {
    family: 'solana',
    name: readText(reader, json['name'], /^[a-z0-9][a-z0-9_-]{0,39}$/, `${path}.name`),
    rpcUrl: readUrl(reader, json['rpcUrl'], `${path}.rpcUrl`),
    commitment: commitment === 'confirmed' ? 'confirmed' : 'finalized',
    nativeCoin,
    tokens: readTokens(reader, json['tokens'], nativeCoin, `${path}.tokens`, (token, at) => ({
      mint: readMint(reader, token['mint'], `${at}.mint`),
    })),
  }
}

function readTokens<T extends object>(
  reader: Reader,
  value: unknown,
  nativeCoin: NativeCoin,
  path: string,
  readAddress: (token: Json, path: string) => T,
): Record<string, T & { decimals: number } & PayoutLimits> {
  const tokens: Record<string, T & { decimals: number } & PayoutLimits> = {}
  for (const [symbol, item] of Object.entries(readObject(reader, value, path))) {
    const at = `${path}.${symbol}`
    if (!/^[A-Z0-9]{1,20}$/.test(symbol)) reader.problems.push(`${at}: a symbol is upper case letters and digits`)
    if (symbol === nativeCoin.symbol) reader.problems.push(`${at}: is the native coin's symbol`)
    const token = readObject(reader, item, at)
    const decimals = readInteger(reader, token['decimals'], 0, 36, `${at}.decimals`)
    tokens[symbol] = { ...readAddress(token, at), decimals, ...readLimits(reader, token, decimals, at) }
  }
  return tokens
}

function readNativeCoin(reader: Reader, value: unknown, path: string): NativeCoin {
  const json = readObject(reader, value, path)
  const decimals = readInteger(reader, json['decimals'], 0, 36, `${path}.decimals`)
  return {
    symbol: readText(reader, json['symbol'], /^[A-Z0-9]{1,20}$/, `${path}.symbol`),
    decimals,
    ...readLimits(reader, json, decimals, path),
  }
}

function readLimits(reader: Reader, json: Json, decimals: number, path: string): PayoutLimits {
  const limits: PayoutLimits = {}
  for (const field of ['minPayout', 'minPayoutToNewAccount'] as const) {
    const value = json[field]
    if (value === undefined) continue
    const match = typeof value === 'string' ? /^\d{1,18}(?:\.(\d{1,36}))?$/.exec(value) : null
    if (typeof value === 'string' && match && (match[1] ?? '').length <= decimals) limits[field] = value
    else reader.problems.push(`${path}.${field}: must be a text like "0.01" with at most ${decimals} decimals`)
  }
  return limits
}

function readSplit(reader: Reader, value: unknown, path: string): EvmChain['split'] {
  if (value === undefined || value === null) return null
  const json = readObject(reader, value, path)
  if (json['kind'] !== 'forwarder') reader.problems.push(`${path}.kind: must be forwarder`)
  return { kind: 'forwarder', deployer: readEvmAddress(reader, json['deployer'], `${path}.deployer`) }
}

function readRouters(reader: Reader, value: unknown, path: string): Address[] {
  if (value === undefined) return []
  if (Array.isArray(value)) return value.map((item, index) => readEvmAddress(reader, item, `${path}.${index}`))
  reader.problems.push(`${path}: must be an array of addresses`)
  return []
}

function readEvmAddress(reader: Reader, value: unknown, path: string): Address {
  if (typeof value === 'string' && isEvmAddress(value)) return value
  reader.problems.push(`${path}: must be an address of 20 bytes in 0x-hex, its checksum right where the case is mixed`)
  return '0x'
}

function readMint(reader: Reader, value: unknown, path: string): string {
  if (typeof value === 'string' && isValidAddress({ family: 'solana' }, value)) return value
  reader.problems.push(`${path}: must be base58 of 32 bytes`)
  return ''
}

function readUrl(reader: Reader, value: unknown, path: string): string {
  if (typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value)) return value
  reader.problems.push(`${path}: must be an http or https URL`)
  return ''
}

function readText(reader: Reader, value: unknown, pattern: RegExp, path: string): string {
  if (typeof value === 'string' && pattern.test(value)) return value
  reader.problems.push(`${path}: must be a text like ${pattern.source}`)
  return ''
}

function readInteger(reader: Reader, value: unknown, minimum: number, maximum: number, path: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= minimum && value <= maximum) return value
  reader.problems.push(`${path}: must be an integer from ${minimum} to ${maximum}`)
  return minimum
}

function readObject(reader: Reader, value: unknown, path: string): Json {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json
  reader.problems.push(`${path}: must be an object`)
  return {}
}

function refuseUnknown(reader: Reader, json: Json, known: readonly string[], path: string): void {
  for (const field of Object.keys(json)) {
    if (!known.includes(field)) reader.problems.push(`${path}.${field}: is not a known field`)
  }
}
