import { createHash } from 'node:crypto'
import bs58 from 'bs58'
import { parseMessage } from '../../../chains/solana/wire.js'
import type { Bank } from '../bank.js'
import { feeOf } from '../fee.js'
import { inContext, type Methods } from './methods.js'
import { checkContextSlot, configAt, integerAt, listAt, textAt } from './params.js'
import { invalidParams } from './rpc-error.js'

const GENESIS_HASH = bs58.encode(createHash('sha256').update('sandbox genesis').digest())
const SLOTS_PER_EPOCH = 432_000

/** Methods about the chain as a whole: time, blockhashes, fees. */
export function clusterMethods(bank: Bank): Methods {
  const { slots } = bank
  return {
    getHealth: () => 'ok',
    getVersion: () => ({ 'solana-core': '3.0.0', 'feature-set': 0 }),
    getGenesisHash: () => GENESIS_HASH,
    getSlot: (params) => {
      checkContextSlot(configAt(params, 0), slots)
      return slots.current().slot
    },
    getBlockHeight: (params) => {
      checkContextSlot(configAt(params, 0), slots)
      return slots.current().height
    },
    getBlockTime: (params) => {
      const slot = integerAt(params, 0)
      // A block every second, two slots apart; in between there is none.
      return slot <= slots.current().slot && slot % 2 === 0 ? slot / 2 : null
    },
    getEpochInfo: (params) => {
      checkContextSlot(configAt(params, 0), slots)
      const { slot, height } = slots.current()
      return {
        absoluteSlot: slot,
        blockHeight: height,
        epoch: Math.floor(slot / SLOTS_PER_EPOCH),
        slotIndex: slot % SLOTS_PER_EPOCH,
        slotsInEpoch: SLOTS_PER_EPOCH,
        transactionCount: bank.history.lastSequence(),
      }
    },
    getLatestBlockhash: (params) => {
      checkContextSlot(configAt(params, 0), slots)
      return inContext(slots, slots.latestBlockhash())
    },
    isBlockhashValid: (params) => {
      checkContextSlot(configAt(params, 1), slots)
      return inContext(slots, slots.isBlockhashValid(textAt(params, 0)))
    },
    getFeeForMessage: (params) => {
      const message = readMessage(textAt(params, 0))
      const isValid = slots.isBlockhashValid(bs58.encode(message.blockhash))
      return inContext(slots, isValid ? feeOf(message) : null)
    },
    // Nobody competes for space in the sandbox's blocks.
    getRecentPrioritizationFees: (params) => {
      if (params[0] !== undefined) listAt(params, 0, 128)
      const { slot } = slots.current()
      return Array.from({ length: 20 }, (_, age) => ({ slot: slot - 2 * (19 - age), prioritizationFee: 0 }))
    },
  }
}

function readMessage(base64: string): ReturnType<typeof parseMessage> {
  try {
    return parseMessage(Buffer.from(base64, 'base64'))
  } catch {
    throw invalidParams('failed to deserialize solana_message::versions::VersionedMessage')
  }
}
