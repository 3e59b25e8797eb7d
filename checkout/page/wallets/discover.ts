import type { WalletChain } from '../view.js'
import type { Eip1193 } from './evm.js'
import { isPayingWallet, type StandardWallet } from './solana.js'

/** A wallet of this browser. Its name and its picture are its own claims. */
export type Wallet = { id: string; name: string; icon: string | undefined } & (
  { family: 'evm'; provider: Eip1193 } | { family: 'solana'; wallet: StandardWallet }
)

interface Announcement {
  info: { uuid: string; name: string; icon: string; rdns: string }
  provider: Eip1193
}

/** How long wallets of the new kind are waited for before the old kind is taken. */
const LEGACY_AFTER_MS = 300

/**
 * Finds the wallets of this browser, also those that announce themselves late: of EVM chains by EIP-6963, of Solana by the
 * Wallet Standard.
 * @param onWallet told of each once
 * @returns ends it
 */
export function discover(families: readonly WalletChain['family'][], onWallet: (wallet: Wallet) => void): () => void {
  const ends: (() => void)[] = []
  if (families.includes('evm')) ends.push(discoverEvm(onWallet))
  if (families.includes('solana')) ends.push(discoverSolana(onWallet))
  return () => {
    for (const end of ends) end()
  }
}

function discoverEvm(onWallet: (wallet: Wallet) => void): () => void {
  const seen = new Set<string>()
  const onAnnounce = (event: Event): void => {
    const { info, provider } = (event as CustomEvent<Announcement>).detail
    if (seen.has(info.uuid)) return
    seen.add(info.uuid)
    // The uuid changes with every load of the page.
    onWallet({ family: 'evm', id: info.rdns || info.uuid, name: info.name, icon: pictureOf(info.icon), provider })
  }
  window.addEventListener('eip6963:announceProvider', onAnnounce)
  window.dispatchEvent(new Event('eip6963:requestProvider'))
  const timer = setTimeout(() => {
    const { ethereum } = window as { ethereum?: Eip1193 }
    if (seen.size > 0 || !ethereum) return
    onWallet({ family: 'evm', id: 'injected', name: 'Wallet', icon: undefined, provider: ethereum })
  }, LEGACY_AFTER_MS)
  return () => {
    clearTimeout(timer)
    window.removeEventListener('eip6963:announceProvider', onAnnounce)
  }
}

function discoverSolana(onWallet: (wallet: Wallet) => void): () => void {
  const seen = new Set<StandardWallet>()
  const register = (...wallets: StandardWallet[]): (() => void) => {
    for (const wallet of wallets) {
      if (seen.has(wallet) || !isPayingWallet(wallet)) continue
      seen.add(wallet)
      const { name, icon } = wallet
      onWallet({ family: 'solana', id: `solana:${name}`, name, icon: pictureOf(icon), wallet })
    }
    return () => undefined
  }
  const onRegister = (event: Event): void => {
    ;(event as CustomEvent<(api: { register: typeof register }) => void>).detail({ register })
  }
  window.addEventListener('wallet-standard:register-wallet', onRegister)
  window.dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: { register } }))
  return () => {
    window.removeEventListener('wallet-standard:register-wallet', onRegister)
  }
}

/** Wallets bring their picture along; one that would be loaded from elsewhere is left out. */
function pictureOf(icon: string | undefined): string | undefined {
  return icon?.startsWith('data:image/') ? icon : undefined
}
