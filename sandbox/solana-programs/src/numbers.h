// Arithmetic on 128 bits. The machine multiplies and divides 64 bits; clang would call library functions that do not exist.
#pragma once
#include "runtime.h"

#define DOES_NOT_FIT (~0ULL)

INLINE u128 multiply_wide(u64 left, u64 right) {
  u64 left_low = left & 0xffffffff, left_high = left >> 32, right_low = right & 0xffffffff, right_high = right >> 32;
  u64 low = left_low * right_low, cross1 = left_low * right_high, cross2 = left_high * right_low;
  u64 middle = (low >> 32) + (cross1 & 0xffffffff) + (cross2 & 0xffffffff);
  u64 high = left_high * right_high + (cross1 >> 32) + (cross2 >> 32) + (middle >> 32);
  return ((u128)high << 64) | ((low & 0xffffffff) | (middle << 32));
}

// left * right / divisor, rounded down or up; DOES_NOT_FIT where the result has more than 64 bits or the divisor is 0.
FUNCTION u64 multiply_divide(u64 left, u64 right, u64 divisor, u64 round_up) {
  u128 product = multiply_wide(left, right);
  u64 low = (u64)product, remainder = (u64)(product >> 64), quotient = 0;
  if (remainder >= divisor) return DOES_NOT_FIT;
  for (int bit = 0; bit < 64; bit++) {
    u64 carry = remainder >> 63;
    remainder = (remainder << 1) | (low >> 63);
    low <<= 1;
    quotient <<= 1;
    if (carry || remainder >= divisor) {
      remainder -= divisor;
      quotient |= 1;
    }
  }
  return round_up && remainder ? quotient + 1 : quotient;
}

INLINE u128 read128(const u8 *at) { return ((u128)read64(at + 8) << 64) | read64(at); }
INLINE void write128(u8 *at, u128 value) {
  write64(at, (u64)value);
  write64(at + 8, (u64)(value >> 64));
}
