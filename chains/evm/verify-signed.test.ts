import { describe, expect, it } from 'vitest'
import {
  concatHex,
  numberToHex,
  parseTransaction,
  serializeTransaction,
  toRlp,
  trim,
  type Hex,
  type TransactionSerializableEIP1559,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount, sign } from 'viem/accounts'
import { keccak256 } from 'viem'
import { buildTransfer } from './build-transfer.js'
import { paymentReference } from './split.js'
import { freshAddress, mine, startEvmHarness } from '../../test/harness/evm.js'
import { signRequest } from '../../sandbox/demo/sign-request.js'
import { verifySigned } from './verify-signed.js'
import { refusal } from '../../test/harness/refusal.js'

const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

describe('checking a signed transaction against the built one', async () => {
  const harness = await startEvmHarness()
  const { chain, client, payer, usdt } = harness
  const built = await buildTransfer({
    chain,
    client,
    from: payer.address,
    to: freshAddress(),
    asset: usdt,
    symbol: 'USDT',
    amount: 1_000_000n,
    reference: paymentReference('c1'),
  })

  const refusalOf = async (raw: string): Promise<string> => {
    const { code, details } = await refusal(verifySigned(harness.chain, built, raw))
    return `${code}: ${details ?? ''}`
  }
  const signed = (changes: Parameters<typeof signRequest>[2] = {}): Promise<Hex> =>
    signRequest(harness.payer, built, changes)

  it('knows the hash under which the chain will have it', async () => {
    const raw = await signed()
    const verified = await verifySigned(harness.chain, built, raw.toUpperCase().replace('0X', '0x'))
    expect(verified).toEqual({ hash: keccak256(raw), nonce: 0, raw })
    expect((await mine(harness, raw)).transactionHash).toBe(verified.hash)
  })

  it('lets the wallet choose gas, fees, nonce and an older transaction type', async () => {
    const raws = await Promise.all([
      signed({ gas: 200_000n, maxFeePerGas: 30_000_000_000n, maxPriorityFeePerGas: 2n, nonce: 7 }),
      signed({ type: 'legacy', gasPrice: 30_000_000_000n, maxFeePerGas: undefined, maxPriorityFeePerGas: undefined }),
      signed({ type: 'eip2930', gasPrice: 30_000_000_000n, maxFeePerGas: undefined, maxPriorityFeePerGas: undefined }),
    ])
    for (const raw of raws) expect((await verifySigned(harness.chain, built, raw)).hash).toBe(keccak256(raw))
    expect((await verifySigned(harness.chain, built, raws[0])).nonce).toBe(7)
  })

  it.each<[string, Parameters<typeof signRequest>[2]]>([
    ['another amount in its data', {}],
    ['no reference behind its data', {}],
    ['no data', { data: '0x' }],
    ['another target', { to: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }],
    ['no target', { to: null }],
    ['a value beside', { value: 1n }],
    ['an access list', { accessList: [{ address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', storageKeys: [] }] }],
    ['an absurd fee', { maxFeePerGas: 10n ** 15n }],
    ['an absurd gas limit', { gas: 10_000_000n }],
    ['a gas limit below what its data costs', { gas: 21_000n }],
  ])('refuses one with %s', async (name, changes) => {
    const tampered: Record<string, Hex> = {
      'another amount in its data': `0x${built.data.slice(2).replace('0f4240', '0f4241')}`,
      'no reference behind its data': `0x${built.data.slice(2, -64)}`,
    }
    const data = tampered[name]
    const change = data === undefined ? changes : { data }
    expect(await refusalOf(await signed(change))).toMatch(/^invalid_signed_transaction: it/)
  })

  it('refuses another signer', async () => {
    const thief = privateKeyToAccount(generatePrivateKey())
    expect(await refusalOf(await signRequest(thief, built))).toBe('invalid_signed_transaction: it has another signer')
  })

  it('refuses a transaction that hands over the account (EIP-7702)', async () => {
    const authorization = await harness.payer.signAuthorization({ address: harness.router, chainId: 31337, nonce: 1 })
    const raw = await signed({ type: 'eip7702', authorizationList: [authorization] } as Parameters<
      typeof signRequest
    >[2])
    expect(await refusalOf(raw)).toMatch(/^invalid_signed_transaction: it has a type/)
  })

  it('refuses another chain, and a transaction that is valid on every chain', async () => {
    expect(await refusalOf(await signed({ chainId: 1 }))).toBe('invalid_chain: ')
    const anyChain = { type: 'legacy', gasPrice: 1n, chainId: undefined } as Parameters<typeof signRequest>[2]
    const raw = await signed({ ...anyChain, maxFeePerGas: undefined, maxPriorityFeePerGas: undefined })
    expect(await refusalOf(raw)).toMatch(/^invalid_signed_transaction: it is valid on every chain/)
  })

  it('refuses what is not an encoded signed transaction', async () => {
    const raw = await signed()
    const {
      r: _,
      s: __,
      yParity: ___,
      v: ____,
      ...bare
    } = parseTransaction(raw) as TransactionSerializableEIP1559 & {
      r: Hex
      s: Hex
      yParity: number
      v: bigint
    }
    const bad = [
      '',
      '0x',
      'garbage',
      raw.slice(2),
      `${raw}0`,
      `${raw}00`,
      raw.slice(0, -2),
      `${raw} `,
      '0x02',
      '0x02c0',
    ]
    for (const text of [...bad, '0xff', '0x04', `0x${'00'.repeat(200_000)}`, serializeTransaction(bare)]) {
      expect(await refusalOf(text), text.slice(0, 20)).toMatch(/^invalid_parameters: it/)
    }
  })

  it('refuses the second form of a signature, which would give the payment a second hash', async () => {
    const parsed = parseTransaction(await signed()) as TransactionSerializableEIP1559 & {
      r: Hex
      s: Hex
      yParity: number
    }
    const twin = serializeTransaction(parsed, {
      r: parsed.r,
      s: numberToHex(CURVE_ORDER - BigInt(parsed.s), { size: 32 }),
      yParity: 1 - parsed.yParity,
    })
    expect(await refusalOf(twin)).toBe('invalid_parameters: its signature is not canonical')
  })

  it('refuses an encoding that a node would not read as we do', async () => {
    const fields = (nonce: Hex): Hex[] => [
      '0x7a69',
      nonce,
      numberToHex(BigInt(built.maxPriorityFeePerGas)),
      numberToHex(BigInt(built.maxFeePerGas)),
      numberToHex(BigInt(built.gasLimit)),
      built.to,
      '0x',
      built.data,
    ]
    const encode = async (nonce: Hex): Promise<Hex> => {
      const hash = keccak256(concatHex(['0x02', toRlp([...fields(nonce), []])]))
      const privateKey = generatePrivateKey()
      const signature = await sign({ hash, privateKey })
      const parity = signature.yParity ? '0x01' : '0x'
      // RLP writes numbers without leading zeros; one signature in a hundred has some.
      return concatHex(['0x02', toRlp([...fields(nonce), [], parity, trim(signature.r), trim(signature.s)])])
    }
    // The canonical one is read, so only the leading zero in the other can be what is refused.
    expect(await refusalOf(await encode('0x05'))).toBe('invalid_signed_transaction: it has another signer')
    expect(await refusalOf(await encode('0x0005'))).toBe('invalid_parameters: its encoding is not canonical')
  })
})
