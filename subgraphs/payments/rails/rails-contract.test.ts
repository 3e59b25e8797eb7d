import { describeRails, subjectsOf } from '../fixtures/rail-contract.js'
import { RAILS } from './registry.js'

describeRails(subjectsOf(RAILS.map(({ name }) => name)))
