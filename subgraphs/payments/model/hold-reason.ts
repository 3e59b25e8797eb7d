/**
 * Why a receiver is not paid yet. `delay`: the tenant's delay before payouts, by itself over; the others wait for an operator:
 * `treasury_cap`: more than may leave the treasury; `wallet_refused`: the receiver's wallet is on a list of sanctions;
 * `partly_taken_back`: a part of the payer's money was taken back, or its bank decides whether it is; `unproven`: nobody can prove what became of a transaction;
 * `cancelled`: an operator has cancelled its transaction;
 * `reverted`: its receiver's code has burnt the gas of several transactions, of each of which a node had said that it pays.
 * `released`: an operator has decided that it is paid though its wallet is refused, and nobody asks about that again.
 */
export type HoldReason =
  'delay' | 'treasury_cap' | 'wallet_refused' | 'partly_taken_back' | 'unproven' | 'cancelled' | 'reverted' | 'released'

/**
 * Why a payout that nothing holds has no transaction yet: `funds`: the treasury's balances are insufficient; `screening`: its
 * receiver's wallet cannot be asked about; `another_try`: its last transaction paid it nothing, or the next would.
 */
export type WaitReason = 'funds' | 'screening' | 'another_try'
