"""Laws and facts, in folders by what they test; helpers stand apart from the tests."""
