import { PublicKey } from '@solana/web3.js'
import { associatedTokenAddress } from '../../../../chains/solana/token.js'
import { derivedAddress } from '../anchor.js'

export const EARN = new PublicKey('jup3YeL8QhtSx1e253b2FDvsMNC87fDrgQZivbrndc9')
export const LIQUIDITY = new PublicKey('jupeiUmn818Jg1ekPURTpr4mFo29p46vygyykFJ3wZC')
export const REWARDS = new PublicKey('jup7TthsMgcR9Y3L277b8Eo9uboVSmu1utkuXHNUKar')

/** Every address of one Jupiter Lend market besides the user's; all of them follow from the mint. */
export interface EarnAddresses {
  mint: PublicKey
  shareMint: PublicKey
  lending: PublicKey
  admin: PublicKey
  rewards: PublicKey
  liquidity: PublicKey
  reserve: PublicKey
  position: PublicKey
  rateModel: PublicKey
  claim: PublicKey
  vault: PublicKey
}

/** Derives the addresses of a mint's market. The vault is the liquidity layer's own token account. */
export function earnAddresses(mint: PublicKey): EarnAddresses {
  const shareMint = derivedAddress(EARN, 'f_token_mint', mint)
  const lending = derivedAddress(EARN, 'lending', mint, shareMint)
  const admin = derivedAddress(EARN, 'lending_admin')
  const liquidity = derivedAddress(LIQUIDITY, 'liquidity')
  return {
    mint,
    shareMint,
    lending,
    admin,
    liquidity,
    rewards: derivedAddress(REWARDS, 'lending_rewards_rate_model', mint),
    reserve: derivedAddress(LIQUIDITY, 'reserve', mint),
    position: derivedAddress(LIQUIDITY, 'user_supply_position', mint, lending),
    rateModel: derivedAddress(LIQUIDITY, 'rate_model', mint),
    claim: derivedAddress(LIQUIDITY, 'user_claim', admin, mint),
    vault: associatedTokenAddress(liquidity, mint),
  }
}
