// The liquidity layer: holds the money of all products. Only the lending program calls it; the interface between the two is
// ours, as nobody else ever sees it.
#pragma once
#include "jupiter-prices.h"
#include "tokens.h"

enum { LIQUIDITY_INSUFFICIENT = 7001, POSITION_INSUFFICIENT = 7002 };
enum {
  OPERATE_PROTOCOL,
  OPERATE_USER,
  OPERATE_USER_TOKENS,
  OPERATE_MINT,
  OPERATE_RESERVE,
  OPERATE_POSITION,
  OPERATE_MODEL,
  OPERATE_VAULT,
  OPERATE_LIQUIDITY,
  OPERATE_TOKEN_PROGRAM,
  OPERATE_ACCOUNTS,
  OPERATE_DATA_LENGTH = 17,
};

FUNCTION u64 check_operate(void) {
  u8 *mint = ACCOUNT(OPERATE_MINT)->key, *reserve = ACCOUNT(OPERATE_RESERVE)->data, *position = ACCOUNT(OPERATE_POSITION)->data;
  // The product signs with its own address, which no transaction can do: so nobody calls this directly.
  REQUIRE(ACCOUNT(OPERATE_PROTOCOL)->is_signer, NOT_A_SIGNER);
  TRY(check_account(ACCOUNT(OPERATE_RESERVE), MEMORY->program_id, DISC_TOKEN_RESERVE, RESERVE_LENGTH));
  TRY(check_account(ACCOUNT(OPERATE_POSITION), MEMORY->program_id, DISC_USER_SUPPLY_POSITION, POSITION_LENGTH));
  TRY(check_account(ACCOUNT(OPERATE_MODEL), MEMORY->program_id, DISC_RATE_MODEL, MODEL_LENGTH));
  REQUIRE(same_key(reserve + RESERVE_MINT, mint) && same_key(position + POSITION_MINT, mint) &&
              same_key(position + POSITION_PROTOCOL, ACCOUNT(OPERATE_PROTOCOL)->key) &&
              same_key(ACCOUNT(OPERATE_MODEL)->data + MODEL_MINT, mint),
          CONSTRAINT_HAS_ONE);
  REQUIRE(same_key(reserve + RESERVE_VAULT, ACCOUNT(OPERATE_VAULT)->key), CONSTRAINT_ADDRESS);
  SEED_TEXT(0, RESERVE);
  seed_key(1, mint);
  REQUIRE(finds(2, MEMORY->program_id, ACCOUNT(OPERATE_RESERVE)->key), CONSTRAINT_SEEDS);
  SEED_TEXT(0, LIQUIDITY);
  REQUIRE(finds(1, MEMORY->program_id, ACCOUNT(OPERATE_LIQUIDITY)->key), CONSTRAINT_SEEDS);
  return 0;
}

// Utilisation and with it the borrow rate change with every movement.
FUNCTION void store_reserve(u8 *reserve, u64 supply_raw) {
  u64 supplied = multiply_divide(supply_raw, PRICES->supply, PRICE_ONE, 0);
  u64 borrowed = multiply_divide(read64(reserve + RESERVE_BORROW_RAW), PRICES->borrow, PRICE_ONE, 0);
  u64 utilisation = !supplied ? 0 : borrowed >= supplied ? FULL_BPS : multiply_divide(borrowed, FULL_BPS, supplied, 0);
  write64(reserve + RESERVE_SUPPLY_RAW, supply_raw);
  write64(reserve + RESERVE_SUPPLY_PRICE, PRICES->supply);
  write64(reserve + RESERVE_BORROW_PRICE, PRICES->borrow);
  write64(reserve + RESERVE_TIME, CURRENT_TIME);
  write16(reserve + RESERVE_UTILISATION, utilisation);
  write16(reserve + RESERVE_BORROW_RATE, rate_at(ACCOUNT(OPERATE_MODEL)->data, utilisation));
}

// Data: discriminator, u64 amount, u8 whether it is a withdrawal.
FUNCTION u64 operate(void) {
  REQUIRE(MEMORY->account_count >= OPERATE_ACCOUNTS, TOO_FEW_ACCOUNTS);
  REQUIRE(MEMORY->data_length == OPERATE_DATA_LENGTH && read64(MEMORY->data) == IX_OPERATE, UNKNOWN_INSTRUCTION);
  TRY(check_operate());
  u64 amount = read64(MEMORY->data + 8), is_withdrawal = MEMORY->data[16];
  u8 *reserve = ACCOUNT(OPERATE_RESERVE)->data, *position = ACCOUNT(OPERATE_POSITION)->data, *token_program = ACCOUNT(OPERATE_TOKEN_PROGRAM)->key;
  Account *user_tokens = ACCOUNT(OPERATE_USER_TOKENS), *mint = ACCOUNT(OPERATE_MINT), *vault = ACCOUNT(OPERATE_VAULT);
  find_liquidity_prices(reserve);
  u64 raw = multiply_divide(amount, PRICE_ONE, PRICES->supply, is_withdrawal);
  u64 supply_raw = read64(reserve + RESERVE_SUPPLY_RAW), position_raw = read64(position + POSITION_RAW);
  if (is_withdrawal) {
    REQUIRE(raw <= position_raw && raw <= supply_raw, POSITION_INSUFFICIENT);
    REQUIRE(token_amount(vault) >= amount, LIQUIDITY_INSUFFICIENT);
    // The seeds are still those of check_operate: the liquidity account owns the vault.
    MEMORY->seeds[1].bytes = MEMORY->bump;
    MEMORY->seeds[1].length = 1;
    TRY(TRANSFER_TOKENS(token_program, amount, vault, mint, user_tokens, ACCOUNT(OPERATE_LIQUIDITY), 2));
    supply_raw -= raw;
    position_raw -= raw;
  } else {
    TRY(TRANSFER_TOKENS(token_program, amount, user_tokens, mint, vault, ACCOUNT(OPERATE_USER), 0));
    supply_raw += raw;
    position_raw += raw;
  }
  write64(position + POSITION_RAW, position_raw);
  store_reserve(reserve, supply_raw);
  return 0;
}
