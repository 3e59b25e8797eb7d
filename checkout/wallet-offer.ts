import type { CheckoutDeps } from './deps.js'
import type { EvmOffer } from './page/wallets/evm.js'
import type { SolanaOffer } from './page/wallets/solana.js'

interface BuiltEvm {
  chainName: string
  transactionRequest: EvmOffer['transaction']
  meta: { approval: EvmOffer['approval'] }
}

/** The transaction that was built, as a wallet takes it. */
export function presentOffer(
  data: Readonly<Record<string, unknown>>,
  { chains, isSandbox }: CheckoutDeps,
): EvmOffer | SolanaOffer {
  const { unsignedTransaction: built } = data['payment'] as {
    unsignedTransaction: BuiltEvm | { chainName: string; serialized: string } | null
  }
  if (!built) throw new Error('no transaction was built')
  if ('serialized' in built) {
    return { family: 'solana', wire: built.serialized, chain: clusterOf(built.chainName, isSandbox) }
  }
  const { transactionRequest: transaction, meta, chainName } = built
  const chain = chains.find(({ name }) => name === chainName)
  if (chain?.family !== 'evm') throw new Error(`the chain ${chainName} is not configured any more`)
  const { nativeCoin, publicRpcUrl, explorerUrl } = chain
  return {
    family: 'evm',
    transaction,
    approval: meta.approval,
    chain: {
      chainName,
      nativeCurrency: { name: nativeCoin.symbol, symbol: nativeCoin.symbol, decimals: nativeCoin.decimals },
      // Never the deployment's own address, which may hold a key.
      rpcUrls: publicRpcUrl === undefined ? [] : [publicRpcUrl],
      blockExplorerUrls: explorerUrl === undefined ? [] : [explorerUrl],
    },
  }
}

/** The cluster as the Wallet Standard names it; the sandbox's own is on this machine. */
function clusterOf(name: string, isSandbox: boolean): SolanaOffer['chain'] {
  const cluster = ['devnet', 'testnet'].find((word) => name.includes(word))
  return `solana:${cluster ?? (isSandbox ? 'localnet' : 'mainnet')}`
}
