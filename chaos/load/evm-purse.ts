import { setTimeout as delay } from 'node:timers/promises'
import {
  createPublicClient,
  createWalletClient,
  defineChain,
  erc20Abi,
  http,
  keccak256,
  numberToHex,
  parseEther,
  type Address,
  type Hex,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import type { HarnessView } from '../view.js'
import { GaveUpError } from './client.js'
import { minedReceipt } from '../../sandbox/anvil/mined-receipt.js'
import { signRequest, type UnsignedRequest } from '../../sandbox/demo/sign-request.js'

/** Wallets with money on the EVM chain, one flow at a time in each: two would take each other's nonces. */
export interface EvmPurse {
  /** Funds wallets before anything happens, in blocks that no reorganisation reaches. */
  prepare: () => Promise<void>
  /**
   * A wallet that nobody uses, funded where there is none.
   * @param isOver whether nobody waits for one any more: to fund one takes as long as its transactions take to be mined
   * @throws GaveUpError then
   */
  take: (isOver: () => boolean) => Promise<PrivateKeyAccount>
  /**
   * Only where nothing that the wallet has signed is still on its way. Nobody has the wallet before the deepest reorganisation
   * cannot reach what it has signed: the next transaction would take the nonce of one that was dropped, as a double spend does.
   */
  giveBack: (account: PrivateKeyAccount) => void
  /** Sends signed bytes past the product, as wallets do. @returns whether the node has taken them */
  broadcast: (raw: Hex) => Promise<boolean>
}

const COINS = parseEther('5')
const TOKENS_EACH = 2_000n
const PREPARED = 32
const FUNDED_AT_ONCE = 4
const WAIT_MS = 60_000
const LOOK_MS = 500
/** Eight blocks of two seconds, and as many that they are seen late. */
const SETTLED_MS = 24_000
/** As many blocks that are mined at once. */
const SETTLED_BLOCKS = 16

/** Opens the purse of the chain; nothing is funded before it is wanted. */
export function openEvmPurse({ chains: { evm }, funds }: HarnessView): EvmPurse {
  const nativeCurrency = { name: 'coin', symbol: 'COIN', decimals: 18 }
  const chain = defineChain({
    id: evm.chainId,
    name: 'evm',
    nativeCurrency,
    rpcUrls: { default: { http: [evm.rpcUrl] } },
  })
  const transport = http(evm.rpcUrl)
  const reader = createPublicClient({ chain, transport })
  const source = privateKeyToAccount(funds.evmPrivateKey)
  const writer = createWalletClient({ chain, transport, account: source })
  const free: PrivateKeyAccount[] = []
  let funding: Promise<void> | undefined

  /** One after the other: the source has one sequence of nonces. @returns new wallets whose money is in blocks */
  async function fund(count: number): Promise<PrivateKeyAccount[]> {
    const accounts = Array.from({ length: count }, () => privateKeyToAccount(generatePrivateKey()))
    let nonce = await reader.getTransactionCount({ address: source.address, blockTag: 'pending' })
    const hashes: Hex[] = []
    for (const { address: to } of accounts) {
      hashes.push(await writer.sendTransaction({ to, value: COINS, nonce: nonce++ }))
      for (const { address, decimals } of Object.values(evm.tokens)) {
        const args = [to, TOKENS_EACH * 10n ** BigInt(decimals)] as const
        const call = { address: address as Address, abi: erc20Abi, functionName: 'transfer', args } as const
        hashes.push(await writer.writeContract({ ...call, nonce: nonce++ }))
      }
    }
    for (const hash of hashes) await minedReceipt(reader, hash, WAIT_MS)
    return accounts
  }

  /**
   * A wallet may spend only what no reorganisation takes from it: what it pays with money that comes later on the new branch reverts
   * there, which no product can help.
   */
  function settleLater(accounts: readonly PrivateKeyAccount[]): void {
    setTimeout(() => free.push(...accounts), SETTLED_MS).unref()
  }

  return {
    prepare: async () => {
      const accounts = await fund(PREPARED)
      await reader.request({ method: 'anvil_mine', params: [numberToHex(SETTLED_BLOCKS)] } as never)
      free.push(...accounts)
    },
    take: async (isOver) => {
      while (!isOver()) {
        const account = free.shift()
        if (account) return account
        funding ??= fund(FUNDED_AT_ONCE)
          .then(settleLater)
          .catch(() => delay(1_000))
          .finally(() => (funding = undefined))
        await Promise.race([funding, delay(LOOK_MS)])
      }
      throw new GaveUpError('no wallet was funded in time')
    },
    giveBack: (account) => {
      settleLater([account])
    },
    broadcast: (raw) =>
      reader.sendRawTransaction({ serializedTransaction: raw }).then(
        () => true,
        () => false,
      ),
  }
}

/** Signs what the API built, as a wallet does. */
export async function signEvm(account: PrivateKeyAccount, request: UnsignedRequest): Promise<{ raw: Hex; hash: Hex }> {
  const raw = await signRequest(account, request)
  return { raw, hash: keccak256(raw) }
}

/** An address that nobody has paid before. */
export function newEvmAddress(): Address {
  return privateKeyToAccount(generatePrivateKey()).address
}
