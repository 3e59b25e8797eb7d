import type { Chain, SolanaChain } from '../../../chains/chain.js'
import type { SolanaClient } from '../../../chains/solana/client.js'
import { findSentSolana } from '../../../chains/solana/find-sent.js'
import { sendWire } from '../../../chains/solana/broadcast.js'
import { NONCES_MAX } from '../../../chains/solana/durable-nonces.js'
import { movesNothing, raisePrice, useUpNonce } from '../../../chains/solana/replace.js'
import type { SolanaSigner } from '../../../chains/solana/signer.js'
import type { SignedSolanaTransaction } from '../../../chains/solana/verify-signed.js'
import type { PayoutChain, PreparedVersion, SendOutcome } from './payout-chain.js'
import { solanaAudit } from './solana-audit.js'
import { readHoldings, type ChainContext } from './solana-balances.js'
import { KNOWN_LEGS_MAX } from './solana-batches.js'
import { readForeignSolana } from './solana-foreign.js'
import { newPast, noteWritten, type SolanaPast } from './solana-past.js'
import { prepareSolana } from './solana-prepare.js'
import { retrieveSolana } from './solana-retrieve.js'

/** What the treasury on Solana is made of. */
export interface SolanaPayoutsOptions {
  signer: SolanaSigner
  /** Whether it is only followed what the account has sent; its signer does not sign then. */
  isWatched?: boolean
  solanaClient: (chain: SolanaChain) => SolanaClient
}

/**
 * The treasury on Solana: payouts of one token that wait together go as one transaction. It lives by a nonce of the treasury's
 * own, so that it does not expire, and that of all its versions one lands at most.
 */
export function solanaPayouts({ signer, isWatched = false, solanaClient }: SolanaPayoutsOptions): PayoutChain {
  const on = (chain: Chain): { client: SolanaClient; chain: SolanaChain } => {
    if (chain.family !== 'solana') throw new Error(`${chain.name} is no Solana chain`)
    return { client: solanaClient(chain), chain }
  }
  const pasts = new Map<string, SolanaPast>()
  const pastOn = ({ name }: Chain): SolanaPast => {
    const past = pasts.get(name) ?? newPast()
    pasts.set(name, past)
    return past
  }
  return {
    account: signer.address,
    canSign: !isWatched,
    isPastRead: (chain) => pastOn(chain).isRead,
    noteWritten: (chain, block) => noteWritten(pastOn(chain), block),
    batchMax: KNOWN_LEGS_MAX,
    unminedMax: NONCES_MAX,
    areNoncesOrdered: false,
    // What waits is told by its nonce, and slots pass faster than anybody would ask for them.
    readHead: undefined,
    prepare: (chain, wanted) => prepareSolana({ ...on(chain), signer, past: pastOn(chain) }, wanted),
    send: (chain, raw) => send(on(chain), raw),
    retrieve: (chain, open, withLegs) => retrieveSolana({ ...on(chain), account: signer.address, withLegs }, open),
    readHoldings: (chain) => readHoldings(on(chain), signer.address),
    nonces: {
      raiseFees: async (chain, { raw }) => {
        const raised = await raisePrice(on(chain).client, on(chain).chain, signer, raw)
        return raised && versionOf(raised)
      },
      free: async (_chain, { raw }) => versionOf(await useUpNonce(signer, raw)),
      isFreed: ({ raw }) => movesNothing(raw),
    },
    finality: undefined,
    readForeign: (chain, known) => readForeignSolana(on(chain), signer.address, known, pastOn(chain)),
    readRaw: (chain, hash) => findSentSolana(on(chain).client, hash),
    audit: solanaAudit(signer.address, on),
  }
}

/** The system program's NonceBlockhashNotExpired, of the first instruction: a nonce cannot be used in the slot that gave it. */
const IN_ITS_SLOT = /"InstructionError":\[0,\{"Custom":7\}\]/

async function send({ client }: ChainContext, raw: string): Promise<SendOutcome> {
  const outcome = await sendWire(client, raw)
  // A nonce that one node does not know yet, or not any more: the chain itself has the last word, when it is asked.
  if (outcome.kind === 'unknown' && outcome.isRefused) return { kind: 'unknown', refusal: outcome.reason }
  if (outcome.kind === 'expired' || 'reason' in outcome) return { kind: 'unknown' }
  if (!('details' in outcome)) return { kind: 'sent' }
  if (IN_ITS_SLOT.test(outcome.details)) return { kind: 'unknown' }
  // What would fail now would wait for ever: it does not expire.
  return { kind: 'refused', reason: outcome.details, isLasting: outcome.kind === 'failed_simulation' }
}

function versionOf({ signature: hash, raw }: SignedSolanaTransaction): PreparedVersion {
  return { hash, raw }
}
