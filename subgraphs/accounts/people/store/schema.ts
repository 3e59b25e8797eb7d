import { CreatePeople } from './migrations/0004-people.js'

/** What people add to the database of accounts. */
export const PEOPLE_MIGRATIONS = [{ name: '0004-people', class: CreatePeople }]
