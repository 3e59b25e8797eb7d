import type { AdjustableClock } from '../kernel/clock.js'
import type { PartialSandbox } from './sandbox.js'

/**
 * The sandbox of a process whose environment configures everything: it starts nothing and keeps no folder. What is left of
 * a sandbox is its clock, which is this process's own.
 */
export function bareSandbox(clock: AdjustableClock): PartialSandbox {
  return {
    databaseUrl: undefined,
    masterKey: undefined,
    operatorKey: undefined,
    treasuryEvmKey: undefined,
    treasurySolanaSeed: undefined,
    chains: undefined,
    yieldMarkets: undefined,
    priceUrl: undefined,
    routerUrl: undefined,
    rails: {},
    verifier: undefined,
    mail: undefined,
    mailboxUrl: undefined,
    toyWallet: undefined,
    demo: undefined,
    setProductUrl: () => undefined,
    writeDescription: () => undefined,
    now: () => clock.now(),
    advanceClock: (seconds) => {
      clock.advance(seconds * 1000)
      return Promise.resolve(clock.now())
    },
    stop: () => Promise.resolve(),
  }
}
