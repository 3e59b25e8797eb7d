import { privateKeyToAccount } from 'viem/accounts'
import type { Hex } from 'viem'

/**
 * A wallet for the sandbox's payment page, which signs in the page with a key that everybody may know. It asks nothing before
 * it pays: it is a toy.
 */
interface Request {
  method: string
  params?: readonly unknown[]
}

interface Sent {
  to: Hex
  data?: Hex
  value?: Hex
}

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'%3E%3Crect width='24' height='24' rx='6' fill='%23f5b301'/%3E%3Cpath d='M5 8h14v9a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2zm0 0 9-3v3' fill='none' stroke='%23442f00' stroke-width='2' stroke-linejoin='round'/%3E%3Ccircle cx='15.5' cy='13.5' r='1.5' fill='%23442f00'/%3E%3C/svg%3E"
const info = Object.freeze({
  uuid: crypto.getRandomValues(new Uint32Array(4)).join('-'),
  name: 'Toy wallet (sandbox)',
  icon: ICON,
  rdns: 'example.sandbox.toy-wallet',
})

interface Key {
  privateKey: Hex
  chainId: number
}

let key: Promise<Key> | undefined

function loadKey(): Promise<Key> {
  key ??= fetch('/sandbox/wallet').then((answer) => answer.json() as Promise<Key>)
  return key
}

async function rpc(method: string, params: readonly unknown[] = []): Promise<unknown> {
  const answer = await fetch('/sandbox/wallet/rpc', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ method, params }),
  })
  const { result, error } = (await answer.json()) as { result?: unknown; error?: { code: number; message: string } }
  if (error) throw Object.assign(new Error(error.message), { code: error.code })
  return result
}

async function send({ to, data = '0x', value = '0x0' }: Sent): Promise<unknown> {
  const { privateKey, chainId } = await loadKey()
  const account = privateKeyToAccount(privateKey)
  const from = account.address
  const [nonce, gas, gasPrice] = (await Promise.all([
    rpc('eth_getTransactionCount', [from, 'pending']),
    rpc('eth_estimateGas', [{ from, to, data, value }]),
    rpc('eth_gasPrice'),
  ])) as [Hex, Hex, Hex]
  const maxFeePerGas = BigInt(gasPrice) * 2n
  const raw = await account.signTransaction({
    type: 'eip1559',
    chainId,
    nonce: Number(nonce),
    to,
    data,
    value: BigInt(value),
    gas: (BigInt(gas) * 12n) / 10n,
    maxFeePerGas,
    maxPriorityFeePerGas: BigInt(gasPrice) / 10n,
  })
  return rpc('eth_sendRawTransaction', [raw])
}

/** EIP-1193: its own account and chain, and the sandbox's node for all else. */
async function request({ method, params = [] }: Request): Promise<unknown> {
  const { privateKey, chainId } = await loadKey()
  switch (method) {
    case 'eth_requestAccounts':
    case 'eth_accounts':
      return [privateKeyToAccount(privateKey).address]
    case 'eth_chainId':
      return `0x${chainId.toString(16)}`
    case 'wallet_switchEthereumChain':
    case 'wallet_addEthereumChain':
      if (Number((params[0] as { chainId: string }).chainId) === chainId) return null
      throw Object.assign(new Error('The toy wallet knows the chain of the sandbox only.'), { code: 4902 })
    case 'eth_sendTransaction':
      return send(params[0] as Sent)
    default:
      return rpc(method, params)
  }
}

const announce = (): void => {
  const detail = Object.freeze({ info, provider: { request } })
  window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
}
window.addEventListener('eip6963:requestProvider', announce)
announce()
