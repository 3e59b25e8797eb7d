import { erc20Abi, type Address, type Hex } from 'viem'
import type { Chain, EvmChain } from '../../../chains/chain.js'
import { readFinality } from '../../../chains/evm/canonical.js'
import type { EvmClient } from '../../../chains/evm/client.js'
import { readConfirmation, readMinedAt } from '../../../chains/evm/confirm.js'
import { costOf } from '../../../chains/evm/l1-fee.js'
import { ask } from '../../../chains/evm/rpc.js'
import { fromBaseUnits } from '../../../kernel/money.js'
import { readMovement } from './evm-movement.js'
import { readTransfers } from './evm-transfers.js'
import type { TreasuryAudit, TreasuryTransfer } from './payout-chain.js'

/** So many blocks' logs are asked for at once: many nodes give no more. */
const LOG_BLOCKS = 1_000

/** What an EVM chain shows of the treasury. */
export function evmAudit(
  account: Address,
  on: (chain: Chain) => { client: EvmClient; chain: EvmChain },
): TreasuryAudit {
  return {
    readFinal: async (given, accounts) => {
      const { client, chain } = on(given)
      const { final } = await readFinality(client, chain, [])
      return {
        block: Number(final),
        balancesAt: async (block) => {
          const held = new Map<string, ReadonlyMap<string, string>>()
          for (const one of accounts) held.set(one, await readBalances(client, chain, one as Address, BigInt(block)))
          return held
        },
      }
    },
    hasLanded: async (chain, open, block) => {
      if (open.length === 0) return false
      const first = Math.min(...open.map(({ nonce }) => nonce ?? 0))
      const blockNumber = BigInt(block)
      const count = () => on(chain).client.getTransactionCount({ address: account, blockNumber })
      return (await ask('confirm', count)) > first
    },
    transfers: async (given, from, to) => {
      const { client, chain } = on(given)
      const found: TreasuryTransfer[] = []
      for (let start = from; start <= to; start += LOG_BLOCKS) {
        const range = { from: BigInt(start), to: BigInt(Math.min(start + LOG_BLOCKS - 1, to)) }
        found.push(...(await readTransfers(client, chain, account, range)))
      }
      return found
    },
    movementOf: (given, hash) => {
      const { client, chain } = on(given)
      return readMovement(client, chain, account, hash as Hex)
    },
    minedAt: (chain, hash) => readMinedAt(on(chain).client, hash as Hex),
    costOf: async (given, hash) => {
      const { client, chain } = on(given)
      const seen = await readConfirmation(client, chain, hash as Hex)
      if (seen.state !== 'confirmed' && seen.state !== 'reverted') return undefined
      const { symbol: currency, decimals } = chain.nativeCoin
      return { amount: fromBaseUnits(costOf(seen.receipt), decimals), currency, decimals }
    },
  }
}

/** What an account holds at a block of each token of a chain, and of its coin: decimal strings by currency. */
export async function readBalances(
  client: EvmClient,
  chain: EvmChain,
  account: Address,
  blockNumber: bigint,
): Promise<ReadonlyMap<string, string>> {
  const { symbol, decimals } = chain.nativeCoin
  const coins = await ask('confirm', () => client.getBalance({ address: account, blockNumber }))
  const balances = new Map([[symbol, fromBaseUnits(coins, decimals)]])
  for (const [currency, token] of Object.entries(chain.tokens)) {
    const args = [account] as const
    const units = await ask('confirm', () =>
      client.readContract({ address: token.address, abi: erc20Abi, functionName: 'balanceOf', args, blockNumber }),
    )
    balances.set(currency, fromBaseUnits(units, token.decimals))
  }
  return balances
}
