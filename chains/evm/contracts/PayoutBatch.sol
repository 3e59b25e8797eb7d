// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

/// Pays many receivers of one token in one transaction, out of the caller's own balance, by the allowance that the caller
/// gave. It has no owner and holds nothing: all that it can move is what its caller owns.
///
/// A receiver who cannot be paid is reported and stops nobody else. A batch number works once per caller, so that the same
/// batch signed again, for another nonce, reverts.
contract PayoutBatch {
    /// One bit per batch number: consecutive numbers share a storage slot, which is what makes a number cheap.
    mapping(address payer => mapping(uint256 word => uint256 bits)) private used;

    /// `reason` is cut to 68 bytes: what a token answers must not cost the caller more than that.
    event Unpaid(uint256 indexed batch, uint256 index, bytes reason);

    error BatchUsed();
    error BadLegs();
    error NoToken();
    error TooLittleGas();

    /// @param batch a number that this caller has not used yet
    /// @param legGas what one transfer may use at most
    /// @param legs 32 bytes each: 20 of the receiver, 12 of the amount in base units; at most 256
    /// @return unpaid a bit for each leg that was not paid, the lowest for the first
    function pay(
        address token,
        uint256 batch,
        uint256 legGas,
        bytes calldata legs
    ) external returns (uint256 unpaid) {
        uint256 count = legs.length / 32;
        if (count == 0 || count > 256 || legs.length % 32 != 0) revert BadLegs();
        // A call to an address without code succeeds and moves nothing.
        if (token.code.length == 0) revert NoToken();
        uint256 bits = used[msg.sender][batch >> 8];
        uint256 bit = 1 << (batch & 255);
        if (bits & bit != 0) revert BatchUsed();
        used[msg.sender][batch >> 8] = bits | bit;
        for (uint256 i = 0; i < count; i++) {
            // A call gets at most 63/64 of what is left. With less than `legGas` a receiver who can be paid would seem not to be.
            if (((gasleft() - 5000) * 63) / 64 < legGas) revert TooLittleGas();
            bytes32 leg = bytes32(legs[i * 32:i * 32 + 32]);
            (bool isPaid, bytes memory reason) = transferFrom(
                token,
                address(bytes20(leg)),
                uint256(uint96(uint256(leg))),
                legGas
            );
            if (isPaid) continue;
            unpaid |= 1 << i;
            emit Unpaid(batch, i, reason);
        }
    }

    /// Tokens that answer nothing (USDT) count as paid where the call succeeds.
    function transferFrom(
        address token,
        address to,
        uint256 amount,
        uint256 legGas
    ) private returns (bool isPaid, bytes memory reason) {
        bool succeeded;
        assembly ("memory-safe") {
            let data := mload(0x40)
            mstore(data, shl(224, 0x23b872dd))
            mstore(add(data, 4), caller())
            mstore(add(data, 36), to)
            mstore(add(data, 68), amount)
            succeeded := call(legGas, token, 0, data, 100, 0, 32)
            isPaid := and(
                succeeded,
                or(iszero(returndatasize()), and(gt(returndatasize(), 31), eq(mload(0), 1)))
            )
        }
        if (succeeded) return (isPaid, "");
        assembly ("memory-safe") {
            let size := returndatasize()
            if gt(size, 68) {
                size := 68
            }
            reason := mload(0x40)
            mstore(reason, size)
            returndatacopy(add(reason, 32), 0, size)
            mstore(0x40, add(reason, 128))
        }
    }
}
