// The SPL Token program: the accounts it owns, and the three of its instructions that lending needs.
#pragma once
#include "addresses.h"

enum { TOKEN_MINT = 0, TOKEN_OWNER = 32, TOKEN_AMOUNT = 64, TOKEN_ACCOUNT_LENGTH = 165, MINT_SUPPLY = 36, MINT_DECIMALS = 44 };

// A token account of `mint`; with an `owner`, of that owner.
FUNCTION u64 check_token_account(Account *account, u8 *token_program, u8 *mint, u8 *owner) {
  REQUIRE(*account->lamports || !IS_KEY(account->owner, SYSTEM), NOT_INITIALIZED);
  REQUIRE(same_key(account->owner, token_program) && account->data_length >= TOKEN_ACCOUNT_LENGTH, WRONG_ACCOUNT_OWNER);
  REQUIRE(same_key(account->data + TOKEN_MINT, mint), TOKEN_WRONG_MINT);
  REQUIRE(!owner || same_key(account->data + TOKEN_OWNER, owner), TOKEN_WRONG_OWNER);
  return 0;
}

INLINE u64 token_amount(Account *account) { return read64(account->data + TOKEN_AMOUNT); }
INLINE u64 mint_supply(Account *mint) { return read64(mint->data + MINT_SUPPLY); }

enum { TOKEN_MINT_TO = 7, TOKEN_BURN = 8, TOKEN_TRANSFER_CHECKED = 12 };

// The three functions below lay out an instruction; `call_program` with the given sizes then runs it.
FUNCTION void prepare_three(u64 kind, u64 amount, Account *first, Account *second, Account *authority) {
  MEMORY->instruction_data[0] = (u8)kind;
  write64(MEMORY->instruction_data + 1, amount);
  add_meta(0, first, 1, 0);
  add_meta(1, second, 1, 0);
  add_meta(2, authority, 0, 1);
}

FUNCTION void prepare_transfer(u64 amount, Account *from, Account *mint, Account *to, Account *authority) {
  MEMORY->instruction_data[0] = TOKEN_TRANSFER_CHECKED;
  write64(MEMORY->instruction_data + 1, amount);
  MEMORY->instruction_data[9] = mint->data[MINT_DECIMALS];
  add_meta(0, from, 1, 0);
  add_meta(1, mint, 0, 0);
  add_meta(2, to, 1, 0);
  add_meta(3, authority, 0, 1);
}

INLINE u64 mint_tokens(u8 *token_program, u64 amount, Account *mint, Account *to, Account *authority, u64 seed_count) {
  prepare_three(TOKEN_MINT_TO, amount, mint, to, authority);
  return call_program(token_program, 3, 9, seed_count);
}

INLINE u64 burn_tokens(u8 *token_program, u64 amount, Account *from, Account *mint, Account *owner) {
  prepare_three(TOKEN_BURN, amount, from, mint, owner);
  return call_program(token_program, 3, 9, 0);
}

#define TRANSFER_TOKENS(token_program, amount, from, mint, to, authority, seed_count) \
  (prepare_transfer(amount, from, mint, to, authority), call_program(token_program, 4, 10, seed_count))
