import { PROVIDERS } from './registry.js'
import { itKeepsTheContract } from '../../../test/contracts/yield-provider.js'

PROVIDERS.forEach(itKeepsTheContract)
