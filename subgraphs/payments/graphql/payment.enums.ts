import { graphqlEnum } from '../../../kernel/subgraph.js'
import type { PaymentStatus } from '../model/payment-status.js'
import type { TransactionType } from '../model/transaction-type.js'
import { RAILS } from '../rails/registry.js'

export const PaymentStatusEnum = graphqlEnum<PaymentStatus>('PaymentStatus', 'Where a payment stands.', {
  registered: 'It waits for the payer to choose how to pay.',
  pending: 'An attempt to pay it is under way.',
  success: 'It is paid. This is final.',
  error: 'The attempt failed for a technical reason, or its time ran out. It can be tried again.',
  reproved: "The attempt was refused by the card's issuer, by antifraud or by the Pix provider. It can be tried again.",
})
export const TransactionTypeEnum = graphqlEnum<TransactionType>(
  'TransactionType',
  'How a payment is paid.',
  Object.fromEntries(
    RAILS.flatMap(({ types }) => Object.entries(types)).map(([type, { description }]) => [type, description]),
  ),
)
export const TransactionSourceEnum = graphqlEnum('TransactionSource', 'How a transaction was built.', {
  evm_transfer: 'A transfer to the one receiver, on an EVM chain.',
  evm_split: 'A transfer through the contract that splits it among the receivers, on an EVM chain.',
  router: 'A swap or bridge of the router, whose answer it is.',
  solana_transfer: 'A transfer on Solana, to one receiver or several.',
})
export const ChainFamilyEnum = graphqlEnum('ChainFamily', 'The kind of chain a transaction is for.', {
  evm: 'Ethereum and the chains that work as it does.',
  solana: 'Solana.',
})
