import { getAssociatedTokenAddressSync } from '@solana/spl-token'
import { Keypair, PublicKey, type TransactionInstruction } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { earnAddresses } from './alpha-lend/addresses.js'
import { earnDeposit, earnRedeem, earnWithdraw } from './alpha-lend/instructions.js'
import {
  depositReserveLiquidity,
  redeemReserveCollateral,
  refreshReserve,
  reserveAddresses,
} from './beta/instructions.js'

// Written down from the protocols' published interfaces, independently of the encoders: discriminators as decimal bytes,
// addresses from their seeds, flags as (w)ritable and (s)igner.
const KLEND = new PublicKey('KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD')
const EARN = new PublicKey('jup3YeL8QhtSx1e253b2FDvsMNC87fDrgQZivbrndc9')
const LIQUIDITY = new PublicKey('jupeiUmn818Jg1ekPURTpr4mFo29p46vygyykFJ3wZC')
const REWARDS = new PublicKey('jup7TthsMgcR9Y3L277b8Eo9uboVSmu1utkuXHNUKar')
const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const ASSOCIATED_TOKEN = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'
const SYSTEM = '11111111111111111111111111111111'
const INSTRUCTIONS_SYSVAR = 'Sysvar1nstructions1111111111111111111111111'

const find = (program: PublicKey, ...seeds: (string | PublicKey)[]) =>
  PublicKey.findProgramAddressSync(
    seeds.map((seed) => (typeof seed === 'string' ? new TextEncoder().encode(seed) : seed.toBytes())),
    program,
  )[0]
const shown = ({ keys }: TransactionInstruction) =>
  keys.map(({ pubkey, isSigner, isWritable }) => `${pubkey.toBase58()} ${isSigner ? 's' : ''}${isWritable ? 'w' : ''}`)
const listed = (...entries: [PublicKey | string, string][]) =>
  entries.map(([key, flags]) => `${typeof key === 'string' ? key : key.toBase58()} ${flags}`)
/** 1 234 567 890 as eight bytes, lowest first. */
const AMOUNT = 1_234_567_890n
const AMOUNT_BYTES = [210, 2, 150, 73, 0, 0, 0, 0]

const user = Keypair.generate().publicKey
const mints = ['EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 'So11111111111111111111111111111111111111112'].map(
  (mint) => new PublicKey(mint),
)

describe.each(mints.map((mint) => [mint.toBase58(), mint] as const))('an instruction for %s', (_name, mint) => {
  const reserve = Keypair.generate().publicKey
  const market = Keypair.generate().publicKey
  const scope = Keypair.generate().publicKey
  const kamino = {
    authority: find(KLEND, 'lma', market),
    // As the reserve's account names them.
    vault: Keypair.generate().publicKey,
    shareMint: Keypair.generate().publicKey,
  }
  const userTokens = getAssociatedTokenAddressSync(mint, user)
  const kaminoShares = getAssociatedTokenAddressSync(kamino.shareMint, user)
  const { vault: supplyVault, shareMint: kaminoShareMint } = kamino
  const addresses = reserveAddresses(reserve, { market, mint, supplyVault, shareMint: kaminoShareMint })

  it('of Kamino to refresh names the reserve, its market and its oracles', () => {
    const instruction = refreshReserve(reserve, market, { pyth: null, switchboard: null, switchboardTwap: null, scope })
    expect([...instruction.data]).toEqual([2, 218, 138, 235, 79, 201, 25, 102])
    expect(instruction.programId.toBase58()).toBe(KLEND.toBase58())
    expect(shown(instruction)).toEqual(
      listed([reserve, 'w'], [market, ''], [KLEND, ''], [KLEND, ''], [KLEND, ''], [scope, '']),
    )
  })

  it('of Kamino to deposit has the twelve accounts of the protocol, the owner signing and read only', () => {
    const instruction = depositReserveLiquidity(addresses, user, AMOUNT)
    expect([...instruction.data]).toEqual([169, 201, 30, 126, 6, 205, 102, 68, ...AMOUNT_BYTES])
    expect(shown(instruction)).toEqual(
      listed(
        [user, 's'],
        [reserve, 'w'],
        [market, ''],
        [kamino.authority, ''],
        [mint, ''],
        [kamino.vault, 'w'],
        [kamino.shareMint, 'w'],
        [userTokens, 'w'],
        [kaminoShares, 'w'],
        [TOKEN, ''],
        [TOKEN, ''],
        [INSTRUCTIONS_SYSVAR, ''],
      ),
    )
  })

  it('of Kamino to redeem has them in its own order', () => {
    const instruction = redeemReserveCollateral(addresses, user, AMOUNT)
    expect([...instruction.data]).toEqual([234, 117, 181, 125, 185, 142, 220, 29, ...AMOUNT_BYTES])
    expect(shown(instruction)).toEqual(
      listed(
        [user, 's'],
        [market, ''],
        [reserve, 'w'],
        [kamino.authority, ''],
        [mint, ''],
        [kamino.shareMint, 'w'],
        [kamino.vault, 'w'],
        [kaminoShares, 'w'],
        [userTokens, 'w'],
        [TOKEN, ''],
        [TOKEN, ''],
        [INSTRUCTIONS_SYSVAR, ''],
      ),
    )
  })

  const shareMint = find(EARN, 'f_token_mint', mint)
  const lending = find(EARN, 'lending', mint, shareMint)
  const admin = find(EARN, 'lending_admin')
  const liquidity = find(LIQUIDITY, 'liquidity')
  const tokenReserve = find(LIQUIDITY, 'reserve', mint)
  const position = find(LIQUIDITY, 'user_supply_position', mint, lending)
  const rateModel = find(LIQUIDITY, 'rate_model', mint)
  const claim = find(LIQUIDITY, 'user_claim', admin, mint)
  const vault = getAssociatedTokenAddressSync(mint, liquidity, true)
  const rewards = find(REWARDS, 'lending_rewards_rate_model', mint)
  const earnShares = getAssociatedTokenAddressSync(shareMint, user)
  const earn = earnAddresses(mint)

  it('of Jupiter to deposit has the seventeen accounts of the protocol, the signer paying', () => {
    const instruction = earnDeposit(earn, user, AMOUNT)
    expect(instruction.programId.toBase58()).toBe(EARN.toBase58())
    expect([...instruction.data]).toEqual([242, 35, 198, 137, 82, 225, 242, 182, ...AMOUNT_BYTES])
    expect(shown(instruction)).toEqual(
      listed(
        [user, 'sw'],
        [userTokens, 'w'],
        [earnShares, 'w'],
        [mint, ''],
        [admin, ''],
        [lending, 'w'],
        [shareMint, 'w'],
        [tokenReserve, 'w'],
        [position, 'w'],
        [rateModel, ''],
        [vault, 'w'],
        [liquidity, 'w'],
        [LIQUIDITY, 'w'],
        [rewards, ''],
        [TOKEN, ''],
        [ASSOCIATED_TOKEN, ''],
        [SYSTEM, ''],
      ),
    )
  })

  it.each([
    ['withdraw', earnWithdraw, [183, 18, 70, 156, 148, 109, 161, 34]],
    ['redeem', earnRedeem, [184, 12, 86, 149, 70, 196, 97, 225]],
  ] as const)('of Jupiter to %s has eighteen, the claim among them', (_kind, build, start) => {
    const instruction = build(earn, user, AMOUNT)
    expect([...instruction.data]).toEqual([...start, ...AMOUNT_BYTES])
    expect(shown(instruction)).toEqual(
      listed(
        [user, 'sw'],
        [earnShares, 'w'],
        [userTokens, 'w'],
        [admin, ''],
        [lending, 'w'],
        [mint, ''],
        [shareMint, 'w'],
        [tokenReserve, 'w'],
        [position, 'w'],
        [rateModel, ''],
        [vault, 'w'],
        [claim, 'w'],
        [liquidity, 'w'],
        [LIQUIDITY, 'w'],
        [rewards, ''],
        [TOKEN, ''],
        [ASSOCIATED_TOKEN, ''],
        [SYSTEM, ''],
      ),
    )
  })
})
