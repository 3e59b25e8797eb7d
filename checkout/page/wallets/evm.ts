import { WalletProblem, type Step } from './steps.js'

/** A wallet's provider, EIP-1193. */
export interface Eip1193 {
  request: (request: { method: string; params?: readonly unknown[] | object }) => Promise<unknown>
}

/** What the server built for an EVM wallet; quantities are decimal strings. */
export interface EvmOffer {
  family: 'evm'
  transaction: { to: string; from: string; data: string; value: string; chainId: number }
  /** What the payer has to allow first, where a router takes part. */
  approval: { token: string; spender: string; amount: string } | null
  /** As `wallet_addEthereumChain` takes it; without addresses a wallet that does not know the chain cannot learn it. */
  chain: {
    chainName: string
    nativeCurrency: { name: string; symbol: string; decimals: number }
    rpcUrls: readonly string[]
    blockExplorerUrls: readonly string[]
  }
}

const REFUSED = 4001
const UNKNOWN_CHAIN = 4902
const ALREADY_OPEN = -32002
const APPROVAL_POLL_MS = 500
const APPROVAL_WAIT_MS = 180_000

/** The account that the payer chooses. Throws WalletProblem. */
export async function connectEvm(provider: Eip1193): Promise<string> {
  const accounts = (await ask(provider, 'eth_requestAccounts')) as string[]
  const [account] = accounts
  if (account === undefined) throw new WalletProblem('refused')
  return account
}

/**
 * Has the wallet send what was built: on the right chain, after the allowance that it may need.
 * @returns the transaction's hash
 * @throws WalletProblem
 */
export async function sendEvm(provider: Eip1193, offer: EvmOffer, onStep: (step: Step) => void): Promise<string> {
  const { transaction, approval } = offer
  const { to, from, data } = transaction
  await useChain(provider, offer, onStep)
  if (approval) {
    onStep('approving')
    await approve(provider, from, approval)
  }
  onStep('signing')
  const value = hex(transaction.value)
  return (await ask(provider, 'eth_sendTransaction', [{ from, to, data, value }])) as string
}

/**
 * Has a contract wallet send tokens to the payment's own address: what counts is that they come, whoever sends the
 * transaction.
 * @param link of EIP-681: `ethereum:token@chain/transfer?address=…&uint256=…`
 * @throws WalletProblem
 */
export async function sendToAddress(
  provider: Eip1193,
  from: string,
  { link, chain }: { link: string; chain: string },
  onStep: (step: Step) => void,
): Promise<void> {
  const [, to = '', chainId, receiver = '', amount = ''] =
    /^ethereum:(0x[\da-f]{40})@(\d+)\/transfer\?address=0x([\da-f]{40})&uint256=(\d+)$/i.exec(link) ?? []
  if (amount === '') throw new WalletProblem('failed')
  // `transfer(to, amount)` of ERC-20.
  const data = `0xa9059cbb${word(receiver.toLowerCase())}${word(BigInt(amount).toString(16))}`
  // The chain is one on which the wallet's contract is: nobody has to add it.
  const known = { chainName: chain, nativeCurrency: { name: '', symbol: '', decimals: 18 } }
  const offer: EvmOffer = {
    family: 'evm',
    transaction: { to, from, data, value: '0', chainId: Number(chainId) },
    approval: null,
    chain: { ...known, rpcUrls: [], blockExplorerUrls: [] },
  }
  await sendEvm(provider, offer, onStep)
}

async function useChain(provider: Eip1193, offer: EvmOffer, onStep: (step: Step) => void): Promise<void> {
  const chainId = hex(offer.transaction.chainId)
  const { blockExplorerUrls, ...added } = offer.chain
  // Some wallets refuse an empty list.
  const explorers = blockExplorerUrls.length > 0 && { blockExplorerUrls }
  const isThere = async (): Promise<boolean> =>
    Number((await ask(provider, 'eth_chainId')) as string) === offer.transaction.chainId
  if (await isThere()) return
  onStep('switching')
  try {
    await request(provider, 'wallet_switchEthereumChain', [{ chainId }])
  } catch (error) {
    if (!isUnknownChain(error) || offer.chain.rpcUrls.length === 0) throw problemOf(error, 'wrongNetwork')
    await request(provider, 'wallet_addEthereumChain', [{ chainId, ...added, ...explorers }]).catch(
      (refusal: unknown) => {
        throw problemOf(refusal, 'wrongNetwork')
      },
    )
    // A wallet may add a chain and stay where it was.
    if (!(await isThere())) await ask(provider, 'wallet_switchEthereumChain', [{ chainId }])
  }
  if (!(await isThere())) throw new WalletProblem('wrongNetwork')
}

/** Some wallets answer -32603 for a chain that they do not know, others wrap the code. */
function isUnknownChain(error: unknown): boolean {
  const { code, data } = (error ?? {}) as { code?: number; data?: { originalError?: { code?: number } } }
  return code === UNKNOWN_CHAIN || code === -32603 || data?.originalError?.code === UNKNOWN_CHAIN
}

/** `approve(spender, amount)` of ERC-20, and the wait for its block: without it the payment would revert. */
async function approve(
  provider: Eip1193,
  from: string,
  { token, spender, amount }: NonNullable<EvmOffer['approval']>,
): Promise<void> {
  const data = `0x095ea7b3${word(spender.slice(2).toLowerCase())}${word(BigInt(amount).toString(16))}`
  const hash = await ask(provider, 'eth_sendTransaction', [{ from, to: token, data, value: '0x0' }])
  const end = Date.now() + APPROVAL_WAIT_MS
  while (Date.now() < end) {
    const receipt = (await ask(provider, 'eth_getTransactionReceipt', [hash])) as { status?: string } | null
    if (receipt) {
      if (Number(receipt.status) === 1) return
      throw new WalletProblem('failed')
    }
    await new Promise((resolve) => setTimeout(resolve, APPROVAL_POLL_MS))
  }
  throw new WalletProblem('failed')
}

/** A word of calldata. */
function word(digits: string): string {
  return digits.padStart(64, '0')
}

function hex(quantity: string | number): string {
  return `0x${BigInt(quantity).toString(16)}`
}

function request(provider: Eip1193, method: string, params: readonly unknown[]): Promise<unknown> {
  return provider.request({ method, params })
}

async function ask(provider: Eip1193, method: string, params: readonly unknown[] = []): Promise<unknown> {
  try {
    return await request(provider, method, params)
  } catch (error) {
    throw problemOf(error, 'failed')
  }
}

function problemOf(error: unknown, otherwise: WalletProblem['kind']): WalletProblem {
  if (error instanceof WalletProblem) return error
  const { code } = (error ?? {}) as { code?: number }
  if (code === REFUSED) return new WalletProblem('refused')
  return new WalletProblem(code === ALREADY_OPEN ? 'busy' : otherwise)
}
