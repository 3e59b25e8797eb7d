import { findToken, type Chain } from '../chains/chain.js'
import type { WalletChain } from './page/view.js'

/**
 * Where a wallet can pay a payment, and with what: first on the receivers' own chain in their own token, then by a router,
 * where the deployment has one. A payment that leaves its chain open is paid on the payer's.
 */
export function walletChains(
  chains: readonly Chain[],
  { toChain, toCurrencySymbol }: { toChain: string | null; toCurrencySymbol: string },
): WalletChain[] {
  const offered = chains.flatMap((chain): WalletChain[] => {
    const isOwn = toChain === null || toChain === chain.name
    const own = isOwn && findToken(chain, toCurrencySymbol) ? [toCurrencySymbol] : []
    const isRouted = toChain !== null && chain.family === 'evm' && chain.routers.length > 0
    const others = isRouted ? symbolsOf(chain).filter((symbol) => !own.includes(symbol)) : []
    const tokens = [...own, ...others]
    return tokens.length > 0 ? [{ name: chain.name, family: chain.family, tokens }] : []
  })
  return offered.sort((one, other) => Number(other.name === toChain) - Number(one.name === toChain))
}

function symbolsOf({ tokens, nativeCoin }: Chain): string[] {
  return [...Object.keys(tokens), nativeCoin.symbol]
}
