import { RAILS } from '../../../subgraphs/payments/rails/registry.js'
import { bankSlip } from './bank-slip.js'

RAILS.push(bankSlip)
