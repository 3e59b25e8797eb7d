import { Int, ObjectType } from 'type-graphql'
import { Decimal } from '../../../kernel/scalars.js'
import type { BuiltTransaction } from '../domain/build-transaction.js'
import type { BuiltDeposit } from '../domain/deposit-yield.js'
import { Fields } from '../../../kernel/subgraph-fields.js'

@Fields<BuiltTransaction>('answer', {
  transaction: { type: () => String, description: 'The wire in base64.' },
  recentBlockhash: { type: () => String, description: 'The blockhash that it is good with.' },
  lastValidBlockHeight: { type: () => Int, description: 'The last block height at which it can land.' },
})
@ObjectType({ description: 'An unsigned Solana transaction; only the wallet has to sign it.' })
export class YieldTransaction {}

@Fields<Omit<BuiltDeposit, keyof BuiltTransaction>>('answer', {
  chargedFeeAmount: { type: () => Decimal, description: 'What this service takes of the amount, in whole tokens.' },
  feePercentageApplied: { type: () => Decimal, description: 'The same in percent of the amount.' },
})
@ObjectType({ description: 'An unsigned Solana transaction that deposits; only the wallet has to sign it.' })
export class YieldDepositTransaction extends YieldTransaction {}
