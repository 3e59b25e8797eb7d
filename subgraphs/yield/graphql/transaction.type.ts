import { Int, ObjectType } from 'type-graphql'
import type { BuiltTransaction } from '../domain/build-transaction.js'
import { Fields } from '../../../kernel/subgraph-fields.js'

@Fields<BuiltTransaction>('answer', {
  transaction: { type: () => String, description: 'The wire in base64.' },
  recentBlockhash: { type: () => String, description: 'The blockhash that it is good with.' },
  lastValidBlockHeight: { type: () => Int, description: 'The last block height at which it can land.' },
})
@ObjectType({ description: 'An unsigned Solana transaction; only the wallet has to sign it.' })
export class YieldTransaction {}
