import { findToken, isReceiver, type Chain } from '../chains/chain.js'
import { isPositive } from '../kernel/money.js'
import type { WalletChain } from './page/view.js'
import type { ReadPayment } from './read-payment.js'

/**
 * Where a wallet can pay a payment, and with what: first on the receivers' own chain in their own token, then by a router,
 * where the deployment has one. A payment that leaves its chain open is paid on the payer's.
 */
export function walletChains(chains: readonly Chain[], { toChain, toCurrencySymbol }: ReadPayment): WalletChain[] {
  const offered = chains.flatMap((chain): WalletChain[] => {
    const isOwn = toChain === null || toChain === chain.name
    const own = isOwn && findToken(chain, toCurrencySymbol) ? [toCurrencySymbol] : []
    const isRouted = toChain !== null && chain.family === 'evm' && chain.routers.length > 0
    const others = isRouted ? symbolsOf(chain).filter((symbol) => !own.includes(symbol)) : []
    const tokens = [...own, ...others]
    return tokens.length > 0 ? [{ name: chain.name, family: chain.family, tokens, isOwn: own.length > 0 }] : []
  })
  return offered.sort((one, other) => Number(other.name === toChain) - Number(one.name === toChain))
}

/** Where a wallet's app can pay by Solana Pay: in the receivers' own token, whose transfer names the payment's reference. */
export function solanaPayChain(chains: readonly Chain[], { toChain, toCurrencySymbol }: ReadPayment): string | null {
  const found = chains.find(
    (chain) =>
      chain.family === 'solana' && (toChain ?? chain.name) === chain.name && findToken(chain, toCurrencySymbol),
  )
  return found?.name ?? null
}

/**
 * Where a payment can have an address of its own: on the receivers' chain, or on any where that is open, of those that have
 * our forwarder. A coin leaves no log that could be watched, so there it has to be a token.
 */
export function addressChains(
  chains: readonly Chain[],
  { toChain, toCurrencySymbol, receivedAmount, chainName }: ReadPayment,
): string[] {
  // The rest of a part goes where the part has come.
  const only = receivedAmount === '0' ? toChain : chainName
  return chains.flatMap((chain) => {
    const isOwn = only === null || only === chain.name
    if (!isOwn || chain.family !== 'evm' || !chain.split) return []
    return findToken(chain, toCurrencySymbol)?.kind === 'token' ? [chain.name] : []
  })
}

/**
 * Where the receivers of a payment by Pix or card are paid that leaves its chain open: on the first of the deployment's on which they all
 * can be. Its payer knows nothing of chains, and has none to name.
 * @returns undefined where the payment names one, or there is none
 */
export function payoutChain(
  chains: readonly Chain[],
  { toChain, toCurrencySymbol, splitPaymentConfig }: ReadPayment,
): string | undefined {
  if (toChain !== null) return undefined
  const paid = splitPaymentConfig.filter(({ receiverPercent }) => isPositive(receiverPercent))
  const takesAll = (chain: Chain) => paid.every(({ receiverWallet }) => isReceiver(chain, receiverWallet))
  return chains.find((chain) => findToken(chain, toCurrencySymbol) && takesAll(chain))?.name
}

function symbolsOf({ tokens, nativeCoin }: Chain): string[] {
  return [...Object.keys(tokens), nativeCoin.symbol]
}
