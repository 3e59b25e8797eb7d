import { CreatePeople } from './migrations/0004-people.js'
import { SeparateCodeBudgets } from './migrations/0012-code-budgets.js'

/** What people add to the database of accounts. */
export const PEOPLE_MIGRATIONS = [
  { name: '0004-people', class: CreatePeople },
  { name: '0012-code-budgets', class: SeparateCodeBudgets },
]
