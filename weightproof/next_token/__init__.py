"""What commands say of networks that take the argmax over tokens."""
