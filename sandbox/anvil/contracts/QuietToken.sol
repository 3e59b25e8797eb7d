// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

/// A token whose `transfer` returns nothing, as Tether's on Ethereum does; tests pay and split with it.
contract QuietToken {
    uint8 public constant decimals = 6;
    mapping(address account => uint256 balance) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 value);

    error InsufficientBalance();

    constructor(address holder, uint256 supply) {
        balanceOf[holder] = supply;
        emit Transfer(address(0), holder, supply);
    }

    function transfer(address to, uint256 value) external {
        if (balanceOf[msg.sender] < value) revert InsufficientBalance();
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
    }
}
