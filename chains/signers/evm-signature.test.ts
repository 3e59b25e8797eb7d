import { hexToBigInt, keccak256 } from 'viem'
import { generatePrivateKey, privateKeyToAccount, sign } from 'viem/accounts'
import { expect, it } from 'vitest'
import type { SignableTransaction } from '../evm/signer.js'
import { signElsewhere } from './evm-signature.js'

const COMMON = {
  chainId: 56,
  nonce: 3,
  gas: 21_000n,
  to: '0x00000000000000000000000000000000000000aa',
  value: 5n,
} as const
const TRANSACTIONS: SignableTransaction[] = [
  { type: 'legacy', ...COMMON, gasPrice: 3_000_000_000n },
  { type: 'eip1559', ...COMMON, maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 1n },
]

it.each(TRANSACTIONS)(
  'a signature from elsewhere gives the bytes that the key itself would: $type',
  async (transaction) => {
    const privateKey = generatePrivateKey()
    const account = privateKeyToAccount(privateKey)
    const raw = await signElsewhere('kms', account.address, transaction, async (unsigned) => {
      const { r, s } = await sign({ hash: keccak256(unsigned), privateKey })
      return { r: hexToBigInt(r), s: hexToBigInt(s) }
    })
    expect(raw).toBe(await account.signTransaction(transaction))
  },
)
