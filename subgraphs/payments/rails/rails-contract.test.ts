import { describeRails, subjectsOf } from '../../../test/contracts/rail.js'
import { RAILS } from './registry.js'

await describeRails(subjectsOf(RAILS.map(({ name }) => name)))
