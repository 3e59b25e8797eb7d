import type { Address } from 'viem'
import { z } from 'zod'
import { problemsOf } from '../kernel/check-json.js'
import { isEvmAddress, isValidAddress, type Chain } from './chain.js'

const evmAddress = z.custom<Address>(
  (value) => typeof value === 'string' && isEvmAddress(value),
  'must be an address of 20 bytes in 0x-hex, its checksum right where the case is mixed',
)
const mint = z.custom<string>(
  (value) => typeof value === 'string' && isValidAddress({ family: 'solana' }, value),
  'must be base58 of 32 bytes',
)
const rpcUrl = z.custom<string>(
  (value) => typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value),
  'must be an http or https URL',
)
const chainName = textLike(/^[a-z0-9][a-z0-9_-]{0,39}$/)
const decimals = integerFrom(0, 36)
const minimum = textLike(/^\d{1,18}(?:\.\d{1,36})?$/, 'must be a text like "0.01"').exactOptional()
const limits = { minPayout: minimum, minPayoutToNewAccount: minimum }

/** Where a chain is reached: by one address or several, or by both fields, and then by all of them. */
const nodes = {
  rpcUrl: rpcUrl.exactOptional(),
  rpcUrls: z
    .array(rpcUrl, 'must be an array of URLs')
    .min(1, 'must have a URL')
    .max(8, 'must have at most 8')
    .exactOptional(),
  rpcCallsPerSecond: integerFrom(1, 100_000).exactOptional(),
}

const nativeCoin = withLimits({ symbol: textLike(/^[A-Z0-9]{1,20}$/), decimals, ...limits })

const evmChain = strict({
  family: z.literal('evm'),
  name: chainName,
  chainId: integerFrom(1, Number.MAX_SAFE_INTEGER),
  ...nodes,
  publicRpcUrl: rpcUrl.exactOptional(),
  explorerUrl: rpcUrl.exactOptional(),
  confirmations: integerFrom(1, 10_000),
  finalityBlocks: integerFrom(1, 100_000).exactOptional(),
  gasPriceMaxGwei: textLike(/^\d{1,9}(?:\.\d{1,9})?$/, 'must be a text like "500"').exactOptional(),
  rollup: z.literal('op-stack', 'must be op-stack').exactOptional(),
  nativeCoin,
  tokens: bySymbol({ address: evmAddress, decimals, ...limits }),
  split: z
    .object({ kind: z.literal('forwarder', 'must be forwarder'), deployer: evmAddress }, 'must be an object')
    .nullable()
    .default(null),
  routers: z.array(evmAddress, 'must be an array of addresses').default([]),
})

const solanaChain = strict({
  family: z.literal('solana'),
  name: chainName,
  ...nodes,
  explorerUrl: rpcUrl.exactOptional(),
  genesisHash: mint.exactOptional(),
  commitment: z.enum(['confirmed', 'finalized'], 'must be confirmed or finalized'),
  computePriceMaxMicroLamports: integerFrom(1_000, 1_000_000).exactOptional(),
  nativeCoin,
  tokens: bySymbol({ mint, decimals, ...limits }),
})

const chains = z.array(
  z.discriminatedUnion('family', [evmChain, solanaChain], 'must be an object of the family evm or solana'),
  'must be an array',
)

/**
 * Reads the deployment's list of chains, as `CHAINS_FILE` holds it: an array of objects with the fields of `Chain`.
 * `split` and `routers` may be left out (no split, no router), and `rpcUrl` where there are `rpcUrls`: the first of them then.
 * @throws Error that lists every problem with its path, e.g. `chains.0.tokens.USDT.address`; a value is never part of it,
 *   because a URL may hold an API key
 */
export function parseChains(json: unknown): Chain[] {
  const { data, error } = chains.safeParse(json)
  const read = (data ?? []).map((chain) => ({ ...chain, rpcUrl: chain.rpcUrl ?? chain.rpcUrls?.[0] ?? '' }))
  const unreachable = read.flatMap(({ rpcUrl: url }, index) => (url ? [] : [`chains.${index}.rpcUrl: is missing`]))
  const problems = [...problemsOf(error, 'chains', true), ...nameProblems(json), ...unreachable]
  if (!data || problems.length > 0) throw new Error(problems.join('\n'))
  return read
}

/** As much of the list as names are compared by, whatever else is wrong with it. */
const names = z
  .array(
    z
      .object({
        name: z.string().optional().catch(undefined),
        nativeCoin: z.object({ symbol: z.string() }).optional().catch(undefined),
        tokens: z.record(z.string(), z.unknown()).catch({}),
      })
      .catch({ tokens: {} }),
  )
  .catch([])

function nameProblems(json: unknown): string[] {
  const listed = names.parse(json)
  return listed.flatMap(({ name, nativeCoin, tokens }, index) => {
    const isTwice = name !== undefined && listed.findIndex((other) => other.name === name) < index
    return [
      ...(isTwice ? [`chains.${index}.name: is used twice`] : []),
      ...Object.keys(tokens).flatMap((symbol) => {
        const at = `chains.${index}.tokens.${symbol}`
        if (symbol === nativeCoin?.symbol) return [`${at}: is the native coin's symbol`]
        return /^[A-Z0-9]{1,20}$/.test(symbol) ? [] : [`${at}: a symbol is upper case letters and digits`]
      }),
    ]
  })
}

function strict<Shape extends z.core.$ZodLooseShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  return z.strictObject(shape, 'must be an object')
}

/** Tokens by their symbols. */
function bySymbol<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.record(z.string(), withLimits(shape), 'must be an object')
}

/** What the treasury pays out at least has no more decimals than the coin or token. */
function withLimits<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.object(shape, 'must be an object').superRefine((coin, issues) => {
    const { decimals, ...fields } = coin as Record<string, unknown>
    for (const field of Object.keys(limits)) {
      const [, fraction = ''] = String(fields[field] ?? '').split('.')
      if (fraction.length > Number(decimals)) {
        issues.addIssue({ code: 'custom', path: [field], message: `must have at most ${String(decimals)} decimals` })
      }
    }
  })
}

function textLike(pattern: RegExp, problem = `must be a text like ${pattern.source}`) {
  return z.custom<string>((value) => typeof value === 'string' && pattern.test(value), problem)
}

function integerFrom(min: number, max: number) {
  const isInRange = (value: unknown): boolean =>
    Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max
  return z.custom<number>(isInRange, `must be an integer from ${min} to ${max}`)
}
