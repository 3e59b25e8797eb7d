import { PublicKey, TransactionInstruction } from '@solana/web3.js'
import { associatedTokenAddress } from '../../../chains/solana/token.js'
import { text } from '../../../kernel/env.js'
import { amountData, derivedAddress, readonly, writable } from '../../../subgraphs/yield/providers/anchor.js'
import { discriminator } from '../../../subgraphs/yield/providers/account-reader.js'
import type { InstructionMeaning, Market, YieldProvider } from '../../../subgraphs/yield/providers/provider.js'

const PROGRAM = new PublicKey(Buffer.alloc(32, 77))
const ACTIONS = { deposit: discriminator('global:deposit'), withdraw: discriminator('global:withdraw') }

function move(mint: PublicKey, action: keyof typeof ACTIONS, owner: PublicKey, amount: bigint): TransactionInstruction {
  const receiver = associatedTokenAddress(owner, action === 'deposit' ? shareMintOf(mint) : mint)
  return new TransactionInstruction({
    programId: PROGRAM,
    keys: [{ pubkey: owner, isSigner: true, isWritable: true }, writable(receiver), readonly(mint)],
    data: amountData(ACTIONS[action], amount),
  })
}

function describe({ programId, keys, data }: TransactionInstruction): InstructionMeaning | undefined {
  const [action] = (['deposit', 'withdraw'] as const).filter((name) => ACTIONS[name].equals(data.subarray(0, 8)))
  const [owner, receiver, mint] = keys
  if (!action || !programId.equals(PROGRAM) || !owner || !receiver || !mint || data.length !== 16) return undefined
  const amount = { value: data.readBigUInt64LE(8), unit: 'asset' } as const
  return { action, mint: mint.pubkey, amount, owner: owner.pubkey, receiver: receiver.pubkey }
}

function shareMintOf(mint: PublicKey): PublicKey {
  return derivedAddress(PROGRAM, 'share', mint)
}

/** A lending protocol that does not exist: a share is worth one token, at 7 % a year. Its market's account is the mint. */
export const madeUp: YieldProvider = {
  name: 'made_up',
  displayName: 'Made-up Lend',
  routeName: 'MADEUP',
  variables: [text('MADE_UP_REGION', 'where the made-up protocol is')],
  programs: [PROGRAM],
  describe,
  listMarket: (asset, _settings, isEnabled) => {
    const { mint } = asset
    const market: Market = {
      provider: madeUp,
      asset,
      isEnabled,
      addresses: { marketOrVault: mint, reserve: mint, shareMint: shareMintOf(mint) },
      accounts: [mint],
      read: ([account]) => {
        if (!account) throw new Error('the mint is missing')
        return {
          figures: {
            isOpen: true,
            apy: { supply: 70_000_000_000_000_000n, rewards: null, borrow: null },
            maxLoanToValue: null,
            totalSupply: 0n,
            totalBorrow: null,
            priceUsd: null,
          },
          worthOf: (shares) => shares,
          depositLeg: (wallet, amount) => [move(mint, 'deposit', wallet, amount)],
          withdrawLeg: (wallet, how) => [move(mint, 'withdraw', wallet, how.kind === 'all' ? how.shares : how.amount)],
        }
      },
      rebuild: (instruction) => {
        const meaning = describe(instruction)
        if (!meaning?.owner || !meaning.amount || !meaning.mint?.equals(mint) || meaning.action === 'refresh')
          return undefined
        return move(mint, meaning.action, meaning.owner, meaning.amount.value)
      },
    }
    return { provider: madeUp, asset, isEnabled, contract: mint, identity: [], open: () => market }
  },
}
