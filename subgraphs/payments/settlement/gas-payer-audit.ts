import type { Address, Hex } from 'viem'
import type { EvmChain } from '../../../chains/chain.js'
import { readFinality } from '../../../chains/evm/canonical.js'
import type { EvmClient } from '../../../chains/evm/client.js'
import { ask } from '../../../chains/evm/rpc.js'
import { fromBaseUnits } from '../../../kernel/money.js'
import { readMovement } from './evm-movement.js'
import type { TreasuryMovement } from './payout-chain.js'

/** What the gas payer did and has at the newest block that is final. */
export interface FinalGasPayer {
  block: number
  /** How many of its nonces are used up there. */
  used: number
  /** What it held of the chain's coin, a decimal string. */
  balance: string
}

/** What a chain shows of the gas payer. Both throw AppError confirm_rpc_unavailable. */
export interface GasPayerAudit {
  account: string
  /** Undefined where no block is final yet. */
  readFinal: (chain: EvmChain) => Promise<FinalGasPayer | undefined>
  /** What a transaction did to its coins; see `TreasuryAudit`. */
  movementOf: (chain: EvmChain, hash: string) => Promise<TreasuryMovement | undefined>
}

/** What EVM chains show of the gas payer. */
export function evmGasPayerAudit(address: Address, clientOf: (chain: EvmChain) => EvmClient): GasPayerAudit {
  return {
    account: address,
    readFinal: async (chain) => {
      const client = clientOf(chain)
      const { final: blockNumber } = await readFinality(client, chain, [])
      if (blockNumber < 0n) return undefined
      const used = await ask('confirm', () => client.getTransactionCount({ address, blockNumber }))
      const units = await ask('confirm', () => client.getBalance({ address, blockNumber }))
      return { block: Number(blockNumber), used, balance: fromBaseUnits(units, chain.nativeCoin.decimals) }
    },
    movementOf: async (chain, hash) => {
      const movement = await readMovement(clientOf(chain), chain, address, hash as Hex)
      // The ledger follows its coin alone: it never holds a payer's or a receiver's money.
      const transfers = movement?.transfers.filter(({ currency }) => currency === chain.nativeCoin.symbol) ?? []
      return movement && { ...movement, transfers }
    },
  }
}
