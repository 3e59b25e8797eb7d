import { Transaction, type Keypair } from '@solana/web3.js'
import type { BrowserContext } from 'playwright-core'
import { concatHex, encodeFunctionData, erc20Abi, hexToBigInt, pad, type Address, type Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { minedReceipt } from '../../sandbox/anvil/mined-receipt.js'
import { CONTRACTS } from './chains.js'
import type { ChainSide } from './evm-side.js'
import type { SolanaSide } from './solana-side.js'

/** What a test has a wallet do otherwise than say yes. */
export interface WalletMood {
  /** What the payer refuses, once each. */
  refuses?: string[]
  /** What it answers late, once each: as soon as that is settled. */
  waits?: Partial<Record<string, Promise<unknown>[]>>
  /** Whether the wallet has to learn the chain first. */
  isElsewhere?: boolean
  /** The contract that the account acts through, see `putContractWallet`. */
  contract?: Address
  /** The gas that it gives a transaction, once each, in place of what the node estimates. */
  gas?: bigint[]
}

interface Call {
  method: string
  params?: readonly unknown[]
}

/** Calls the address in the first word of its calldata with the rest of it, as a wallet that is a contract does for its owner. */
const CONTRACT_WALLET = '0x6020360380602060003760006000826000346000355af1601f5760006000fd5b00'

/** Makes a wallet that is a contract, with the USDT of an account, which pays the gas for it. @returns its address */
export async function putContractWallet(
  { client, newReceiver, balanceOf }: ChainSide,
  { address: owner }: PrivateKeyAccount,
): Promise<Address> {
  const address = newReceiver()
  await client.setCode({ address, bytecode: CONTRACT_WALLET })
  const args = [address, await balanceOf('USDT', owner)] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  await minedReceipt(client, await client.sendUnsignedTransaction({ from: owner, to: CONTRACTS.USDT, data }))
  return address
}

/** Puts an EVM wallet into a browser that announces itself by EIP-6963, and signs for real. @returns what it was asked */
export async function putEvmWallet(
  context: BrowserContext,
  { client }: ChainSide,
  account: PrivateKeyAccount,
  { refuses = [], waits = {}, isElsewhere = false, contract, gas: given = [] }: WalletMood = {},
): Promise<string[]> {
  const asked: string[] = []
  let [chainId, isKnown] = isElsewhere ? [1, false] : [31337, true]
  const answer = async ({ method, params = [] }: Call): Promise<unknown> => {
    const [first] = params as [{ chainId: Hex; to: Hex; data: Hex; value?: Hex }]
    switch (method) {
      case 'eth_requestAccounts':
        return [contract ?? account.address]
      case 'eth_chainId':
        return `0x${chainId.toString(16)}`
      case 'wallet_switchEthereumChain':
        if (!isKnown) throw Object.assign(new Error('unknown chain'), { code: 4902 })
        chainId = Number(first.chainId)
        return null
      case 'wallet_addEthereumChain':
        isKnown = true
        return null
      case 'eth_sendTransaction': {
        const { to, data, value = '0x0' } = first
        const call = contract ? { to: contract, data: concatHex([pad(to), data]) } : { to, data }
        const gas = given.shift()
        const request = await client.prepareTransactionRequest({
          account,
          ...call,
          ...(gas !== undefined && { gas }),
          value: hexToBigInt(value),
          chain: null,
        })
        const raw = await account.signTransaction({ ...request, chainId: 31337 } as never)
        return client.sendRawTransaction({ serializedTransaction: raw })
      }
      default:
        return client.request({ method, params } as never)
    }
  }
  // Codes of errors do not come through a function that is exposed.
  await context.exposeFunction('__evm', async (call: Call) => {
    asked.push(call.method)
    await waits[call.method]?.shift()
    const place = refuses.indexOf(call.method)
    if (place >= 0) {
      refuses.splice(place, 1)
      return { err: { code: 4001, message: 'User rejected the request.' } }
    }
    return answer(call).then(
      (ok) => ({ ok }),
      (error: { code?: number; message: string }) => ({ err: { code: error.code ?? -32000, message: error.message } }),
    )
  })
  await context.addInitScript(() => {
    const { __evm: ask } = window as unknown as { __evm: (call: unknown) => Promise<{ ok?: unknown; err?: unknown }> }
    const request = async (call: unknown): Promise<unknown> => {
      const { ok, err } = await ask(call)
      if (err !== undefined) throw Object.assign(new Error('refused'), err)
      return ok
    }
    const info = {
      uuid: '350670db-19fa-4704-a166-e52e178b59d2',
      name: 'Test EVM',
      icon: 'data:image/png;base64,',
      rdns: 'test.evm',
    }
    const detail = Object.freeze({ info: Object.freeze(info), provider: { request } })
    const announce = (): boolean => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
    window.addEventListener('eip6963:requestProvider', announce)
    announce()
  })
  return asked
}

/** Puts a wallet of the Wallet Standard into a browser. @param sends whether it sends by itself, or signs only */
export async function putSolanaWallet(
  context: BrowserContext,
  { client }: SolanaSide,
  keypair: Keypair,
  sends: boolean,
): Promise<void> {
  await context.exposeFunction('__solana', async (bytes: Uint8Array | Record<string, number>) => {
    const transaction = Transaction.from(Buffer.from(Object.values(bytes)))
    transaction.sign(keypair)
    const signed = transaction.serialize()
    if (sends) await client.connection.sendRawTransaction(signed)
    return { signature: [...(transaction.signature ?? [])], signed: [...signed] }
  })
  const address = keypair.publicKey.toBase58()
  await context.addInitScript(
    ({ address, sends }) => {
      type Signed = { signature: number[]; signed: number[] }
      const { __solana: sign } = window as unknown as { __solana: (bytes: number[]) => Promise<Signed> }
      const account = { address, chains: ['solana:localnet'], features: [] }
      const signing = async ({ transaction }: { transaction: Uint8Array }): Promise<Signed> => sign([...transaction])
      const send = async (input: { transaction: Uint8Array }) => [
        { signature: Uint8Array.from((await signing(input)).signature) },
      ]
      const only = async (input: { transaction: Uint8Array }) => [
        { signedTransaction: Uint8Array.from((await signing(input)).signed) },
      ]
      const wallet = {
        version: '1.0.0',
        name: 'Test Solana',
        icon: 'data:image/png;base64,',
        chains: ['solana:localnet'],
        accounts: [],
        features: {
          'standard:connect': { connect: () => Promise.resolve({ accounts: [account] }) },
          ...(sends
            ? { 'solana:signAndSendTransaction': { signAndSendTransaction: send } }
            : { 'solana:signTransaction': { signTransaction: only } }),
        },
      }
      const register = ({ register: add }: { register: (wallet: unknown) => void }): void => {
        add(wallet)
      }
      window.addEventListener('wallet-standard:app-ready', (event) => {
        register((event as CustomEvent<{ register: (wallet: unknown) => void }>).detail)
      })
      window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }))
    },
    { address, sends },
  )
}
