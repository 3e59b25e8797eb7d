import type { Pool } from 'pg'
import type { EvmChain } from '../../../../chains/chain.js'
import { ask } from '../../../../chains/evm/rpc.js'
import type { Signer } from '../../../../chains/evm/signer.js'
import type { CoinWaits } from '../../../../chains/sender/coin-waits.js'
import type { EvmAccount } from '../../../../chains/sender/evm-account.js'
import { followAccount } from '../../../../chains/sender/follow-account.js'
import { sendFrom } from '../../../../chains/sender/send-from.js'
import { withAdvisoryLock } from '../../../../kernel/advisory-lock.js'
import { inTurn } from '../../../../kernel/in-turn.js'
import { fromBaseUnits } from '../../../../kernel/money.js'
import type { GasPayerTransactionsStore } from '../../store/gas-payer-transactions.js'
import type { GasPayer } from '../gas-payer.js'
import { bookGas, type BookGasDeps } from './book-gas.js'

/** What one transaction may use: sharing a coin out to 50 receivers takes some 2.5 million, and 6.5 more where all of them burn what they can. */
const GAS_MAX = 9_000_000n

/** So many of a process are ready before it is their turn, each with a job of the worker's; others ask again later. */
const WAITING_MAX = 2
/** So long the first of them waits for another process: it has asked nodes already, and may not find the moment between two turns there. */
const OTHERS_MS = 1_000

interface GasPayerDeps extends BookGasDeps {
  pool: Pool
  transactions: GasPayerTransactionsStore
  signer: Signer
}

/** A gas payer that keeps its own count of nonces in the database. On each chain one is signed after the other; many are on their way. */
export function createGasPayer(deps: GasPayerDeps): GasPayer {
  const { signer, transactions, clock, alerts } = deps
  const { address } = signer
  const run = inTurn(WAITING_MAX)
  const waitsOn = new Map<string, CoinWaits>()
  const waitsOf = ({ name }: EvmChain): CoinWaits => {
    const waits = waitsOn.get(name) ?? new Map()
    waitsOn.set(name, waits)
    return waits
  }
  const on = (chain: EvmChain): EvmAccount => ({
    client: deps.evmClient(chain),
    chain,
    signer,
    rows: transactions(chain.name, address),
    gasMax: GAS_MAX,
    now: () => clock.now(),
    exclusively: (prepare, work) =>
      run(chain.name, prepare, (prepared) =>
        withAdvisoryLock(deps.pool, `operator:${chain.name}:${address}`, (lock) => work(lock, prepared), {
          waitMs: OTHERS_MS,
        }),
      ),
    tellStuck: (details) => alerts.raise({ kind: 'operator_stuck', subject: chain.name, details }),
    waits: waitsOf(chain),
  })
  return {
    account: address,
    readBalance: async (chain) => {
      const units = await ask('confirm', () => deps.evmClient(chain).getBalance({ address }))
      return fromBaseUnits(units, chain.nativeCoin.decimals)
    },
    send: (chain, purpose, call) => sendFrom(on(chain), purpose, call),
    sentFor: (chain, purpose) => transactions(chain.name, address).findFor(purpose),
    newestFor: (chain, purpose) => transactions(chain.name, address).newestFor(purpose),
    hasUnfinal: (chainName) => transactions(chainName, address).hasUnfinal(),
    follow: (chain) =>
      followAccount(on(chain), (transaction) => bookGas(deps, chain, transactions(chain.name, address), transaction)),
  }
}
